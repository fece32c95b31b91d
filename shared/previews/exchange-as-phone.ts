import { maxJsonDepth, nestsDeeperThan, parseJson } from '#shared/base/json.ts';
import type { Attempt } from '#shared/egress/post.ts';
import { type CheckedResponse, checkBody, checkEncryptedResponse } from '#shared/flow-endpoint/check-response.ts';
import { type FlowRequest, type PhoneEnvelope, readFlowRequest, sealRequest } from '#shared/flow-endpoint/envelope.ts';
import { exchangeDeadlines } from '#shared/flow-endpoint/exchange-deadlines.ts';
import { explainExchange, explainFinding } from '#shared/flow-endpoint/explain-exchange.ts';
import {
  type DynamicFlow,
  type Exchange,
  type ExchangeContext,
  exchange,
  exchangeClear,
} from '#shared/flow-endpoint/make-exchange.ts';
import { replaceFiles } from '#shared/flow-endpoint/picked-file.ts';
import { requestVersion } from '#shared/flow-json/document/versions.ts';
import type { FlowOutline } from '#shared/flow-json/response/endpoint-response.ts';
import { type Language, render } from '#shared/http/language.ts';
import { hubSignature, hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import { flowTokenOf, type PreviewRecord } from './preview-access.ts';
import { previewTexts } from './texts.ts';

/** A request of the preview page to the Flow's endpoint. */
export interface PageRequest {
  action: 'INIT' | 'BACK' | 'data_exchange';
  screen?: string | undefined;
  data: Readonly<Record<string, unknown>>;
}

/** What the preview needs to play the part of the phone, which the upstream plays in production. */
export interface PhoneContext {
  /** Reads the public key (PEM) that the upstream has for the preview's number, if there is one. */
  publicKey: (preview: PreviewRecord) => Promise<string | undefined>;
  /** Reads the secret with which the upstream signs requests to the preview's workspace. */
  appSecret: (preview: PreviewRecord) => Promise<string | undefined>;
  exchange: ExchangeContext;
}

/**
 * Sends a Flow's endpoint the request that the upstream would send for a phone. Resolves with `undefined` if there is no
 * public key with which to encrypt it.
 */
export async function exchangeAsPhone(
  flow: DynamicFlow,
  preview: PreviewRecord,
  request: PageRequest,
  context: PhoneContext,
): Promise<Exchange | undefined> {
  const outline = await context.exchange.outlineOf(flow);
  const clear = phoneRequest(outline, preview, request);
  // The files of a page stay in the browser, so nothing is at their addresses.
  const withoutKeys = replaceFiles(clear, ({ cdn_url }) => cdn_url);
  const exchange = flow.endpoint_encrypted
    ? await exchangeEncrypted(flow, preview, clear, outline, context)
    : await exchangeClear(flow, clear, endpointBy(context), context.exchange, { bodyFor: async () => withoutKeys });
  return exchange && { ...exchange, record: { ...exchange.record, preview: preview.id } };
}

/**
 * The request follows Meta's page "Implementing endpoints for Flows". It has no `flow_token_signature`, whose claims Meta
 * does not publish.
 */
const phoneRequest = ({ dataApiVersion }: FlowOutline, preview: PreviewRecord, request: PageRequest): Buffer =>
  Buffer.from(
    JSON.stringify({ version: requestVersion(dataApiVersion), ...request, flow_token: flowTokenOf(preview.id) }),
  );

async function exchangeEncrypted(
  flow: DynamicFlow,
  preview: PreviewRecord,
  clear: Buffer,
  outline: FlowOutline,
  context: PhoneContext,
): Promise<Exchange | undefined> {
  const [key, secret] = await Promise.all([context.publicKey(preview), context.appSecret(preview)]);
  const request = readFlowRequest(clear);
  if (key === undefined || request === undefined) return undefined;
  const envelope = sealRequest(clear, key);
  const body = Buffer.from(envelope.body);
  const headers = secret === undefined ? {} : { [hubSignatureHeader]: hubSignature(body, secret) };
  const judge = (attempt: Attempt) => checkOpened(envelope, request, attempt, outline);
  return exchange(flow, { body, headers, request, outline }, judge, endpointBy(context), context.exchange);
}

/** Decrypts and checks an encrypted response as the phone would. */
function checkOpened(
  envelope: PhoneEnvelope,
  request: FlowRequest,
  attempt: Attempt,
  outline: FlowOutline,
): CheckedResponse {
  const checked = checkEncryptedResponse(attempt);
  if (!checked.relayed || (checked.status !== 200 && checked.status !== 427)) return checked;
  const clear = openOrUndefined(envelope, checked.body);
  if (checked.status === 427) return { ...checked, body: clear ?? Buffer.alloc(0) };
  return clear ? checkBody(request, clear, outline) : { relayed: false, fault: 'not-encrypted' };
}

/** The endpoint has as much time as for a phone's request that has just arrived. */
function endpointBy({ exchange: { now } }: PhoneContext): number {
  return exchangeDeadlines(now(), now()).endpointBy;
}

function openOrUndefined(envelope: PhoneEnvelope, sealed: Buffer): Buffer | undefined {
  try {
    return envelope.open(sealed.toString('latin1'));
  } catch {
    return undefined;
  }
}

/** What the page learns: the decrypted response, the findings about it, and why a phone could not continue with it. */
export function pageResponse(exchange: Exchange | undefined, language: Language) {
  if (!exchange) return { fault: render(previewTexts.noPublicKey, language) };
  const { checked, record } = exchange;
  const status = record.status === null ? {} : { status: record.status };
  if (!checked.relayed || checked.fault !== undefined) {
    const answer = checked.body && shown(checked.body);
    return { ...status, ...(answer !== undefined && { answer }), fault: explainExchange(record, language) ?? '' };
  }
  const answer = parseJson(checked.body);
  if (checked.status === 200) {
    return { ...status, answer, problems: record.findings.map((finding) => explainFinding(finding, language)) };
  }
  // 427 ends a Flow whose token is no longer valid; the endpoint may explain the reason to the user.
  const { error_msg } = Object(answer);
  return {
    ...status,
    ...(answer !== undefined && { answer }),
    fault: typeof error_msg === 'string' ? error_msg : render(previewTexts.tokenEnded, language),
  };
}

/** Returns a response body for people to read: JSON, or otherwise the beginning of the text. */
function shown(body: Buffer): unknown {
  const json = parseJson(body);
  if (json !== undefined && !nestsDeeperThan(maxJsonDepth, json)) return json;
  return body.length === 0 ? undefined : body.toString('utf8', 0, shownBytes);
}

const shownBytes = 10_000;
