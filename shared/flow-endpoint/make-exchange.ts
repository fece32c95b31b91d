import { within } from '#shared/base/concurrency.ts';
import { newId } from '#shared/base/ids.ts';
import { describeError, log } from '#shared/base/logger.ts';
import type { Clock } from '#shared/base/time.ts';
import type { Explanation } from '#shared/base/upstream-error.ts';
import type { Attempt, Sender } from '#shared/egress/post.ts';
import { successScreen } from '#shared/flow-json/document/read-flow.ts';
import type { FlowOutline } from '#shared/flow-json/response/endpoint-response.ts';
import type { LiveFlow } from '#shared/flows/flow.ts';
import { referenceTo, type SentFlow } from '#shared/messages/sent-flow.ts';
import type { SentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { recordStep, type TokenOwner } from '#shared/messages/track-sent-flow.ts';
import { referenceHeaders } from '#shared/webhooks/receiver-headers.ts';
import type { NumberWithSecrets, SecretStore } from '#shared/webhooks/subscriber-store.ts';
import { signatureHeaders, validSecrets } from '#shared/webhooks/webhook-signature.ts';
import { type CheckedResponse, checkResponse } from './check-response.ts';
import { type FlowRequest, readFlowRequest } from './envelope.ts';
import { type ExchangeFinding, type ExchangeRecord, type Fault, faultExplanation } from './exchange-record.ts';
import type { ExchangeStore } from './exchange-store.ts';

export interface ExchangeContext {
  sender: Sender;
  /** The total time limit for the customer's endpoint in milliseconds, if the deadline leaves that much. */
  timeoutMs: number;
  /** The secrets of the workspace's numbers, any of which verifies a request; empty if the workspace has no numbers. */
  signingSecrets: (workspace: string) => Promise<readonly string[]>;
  outlineOf: (flow: LiveFlow) => Promise<FlowOutline>;
  now: Clock;
}

export type DynamicFlow = LiveFlow & { endpoint_url: string };

export function isDynamic(flow: LiveFlow): flow is DynamicFlow {
  return flow.endpoint_url !== null;
}

export interface EndpointMessage {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  /** The request in the message, if it can be decrypted. */
  request?: FlowRequest;
  /** What the Flow declares; present if `request` is. */
  outline?: FlowOutline;
}

/**
 * The outcome of an exchange: the customer's response or why nothing is relayed, and the facts that the Flow's owner
 * may see.
 */
export interface Exchange {
  checked: CheckedResponse;
  record: ExchangeRecord;
  /** The sent Flow that the exchange belongs to, if this service sent it. */
  sent?: SentFlow;
}

/** How a request in clear text is prepared for the endpoint. */
export interface ClearPreparation {
  /** Finds what the flow token of a request stands for. If absent, the endpoint itself knows. */
  readToken?: (flowToken: string | undefined) => Promise<TokenOwner>;
  /** The body to send: the same bytes, unless the request has files. */
  bodyFor: (request: FlowRequest, sent: SentFlow | undefined) => Promise<Buffer>;
}

/**
 * Sends the request to the customer's endpoint in clear text, signed like notifications.
 * @param endpointBy the deadline of the endpoint's response, in epoch milliseconds
 */
export async function exchangeClear(
  flow: DynamicFlow,
  clear: Buffer,
  endpointBy: number,
  context: ExchangeContext,
  { readToken = async () => 'foreign', bodyFor }: ClearPreparation,
): Promise<Exchange> {
  const request = readFlowRequest(clear);
  if (!request) return failedBeforeSend('undecryptable', context.now());
  const [outline, owner] = await Promise.all([context.outlineOf(flow), readToken(request.flowToken)]);
  if (owner === 'rejected') return failedBeforeSend('invalid-flow-token', context.now(), request, outline);
  const sent = owner === 'foreign' ? undefined : owner;
  const headers = referenceHeaders(sent && referenceTo(sent));
  const judge = (attempt: Attempt) => checkResponse(request, attempt, outline);
  const body = await bodyFor(request, sent);
  const result = await exchange(flow, { body, headers, request, outline }, judge, endpointBy, context);
  return { ...result, ...(sent && { sent }) };
}

/**
 * Posts a message to the customer's endpoint, signed like notifications; `judge` evaluates the response. The signed id
 * begins with the Flow's id, so that the signature is not valid for another Flow.
 */
export async function exchange(
  { id, workspace, endpoint_url: url }: DynamicFlow,
  { body, headers, request, outline }: EndpointMessage,
  judge: (attempt: Attempt) => CheckedResponse,
  endpointBy: number,
  { sender, timeoutMs, signingSecrets, now }: ExchangeContext,
): Promise<Exchange> {
  const secrets = await signingSecrets(workspace);
  const at = now();
  if (secrets.length === 0) return failedBeforeSend('unsigned', at, request, outline);
  const signature = signatureHeaders({ id: `${id}_${newId()}`, timestamp: Math.floor(at / 1000), body, secrets });
  const attempt = await sender.post({
    url,
    headers: { ...headers, ...signature },
    body,
    timeoutMs: Math.max(1, Math.min(timeoutMs, endpointBy - at)),
  });
  const checked = judge(attempt);
  return { checked, record: recordOf(at, attempt, checked, requestSummary(request, outline), outline) };
}

/** The failed exchange of a request that never reaches the customer's endpoint. */
export function failedBeforeSend(fault: Fault, at: number, request?: FlowRequest, outline?: FlowOutline): Exchange {
  return {
    checked: { relayed: false, fault },
    record: { ...emptyRecord, ...requestSummary(request, outline), at, outcome: 'failed', fault },
  };
}

const emptyRecord = {
  preview: null,
  answered_screen: null,
  duration_ms: 0,
  status: null,
  bytes: null,
  findings: [],
};

type RequestSummary = Pick<ExchangeRecord, 'action' | 'screen' | 'reported_error'>;

/**
 * Keeps only values that the platform or the Flow defines: a phone may put text that a person typed into any member.
 */
function requestSummary(request: FlowRequest | undefined, outline: FlowOutline | undefined): RequestSummary {
  const { action, screen, reportedError } = request ?? {};
  return {
    action: action !== undefined && actions.has(action) ? action : null,
    screen: ifDeclared(screen, outline),
    reported_error: reportedError === undefined ? null : knownError(reportedError),
  };
}

const actions: ReadonlySet<string> = new Set(['ping', 'INIT', 'BACK', 'data_exchange']);

/** The keys that phones report (Meta's pages "Error codes" and "Implementing endpoints for Flows"). */
const reportedErrors: ReadonlySet<string> = new Set([
  'timeout_error',
  'missing_capability',
  'cannot_be_served',
  'no_http_response_error',
  'unexpected_http_status_code',
  'public-key-missing',
  'public-key-signature-verification',
  'public-key-signiture-verification',
  'response-decryption-error',
  'invalid-screen-transition',
  'payload-schema-error',
  'components-validation-error',
  'business-decryption-error',
]);

const knownError = (key: string) => (reportedErrors.has(key) ? key : 'unknown');

const ifDeclared = (screen: string | undefined, outline: FlowOutline | undefined) =>
  screen !== undefined && (screen === successScreen || outline?.screens.has(screen)) ? screen : null;

function recordOf(
  at: number,
  attempt: Attempt,
  checked: CheckedResponse,
  request: RequestSummary,
  outline: FlowOutline | undefined,
): ExchangeRecord {
  const findings = findingsOf(checked);
  return {
    ...emptyRecord,
    at,
    ...request,
    answered_screen: checked.relayed ? ifDeclared(checked.screen, outline) : null,
    duration_ms: Math.round(attempt.durationMs),
    ...(attempt.outcome === 'responded' && { status: attempt.status, bytes: attempt.body.length }),
    outcome: checked.relayed ? 'answered' : 'failed',
    fault: checked.fault ?? findings[0]?.code ?? null,
    findings,
  };
}

function findingsOf(checked: CheckedResponse): ExchangeFinding[] {
  if (!checked.relayed) return [];
  return checked.findings.map(({ code, path, expected = null }) => ({
    code,
    path: /^[\w.[\]-]{1,200}$/.test(path) ? path : null,
    expected,
  }));
}

interface Context {
  secrets: Pick<SecretStore, 'listByWorkspace'>;
  now: Clock;
}

/** The limit bounds a header: each secret adds a signature of some fifty characters. */
const maxNumbers = 20;

/**
 * The secrets that sign requests for a whole workspace rather than for one of its numbers: the valid secrets of all its
 * active numbers, so that each of them verifies the signature. A workspace without active numbers signs with the
 * secrets of its inactive ones.
 */
export async function signingSecrets(workspace: string, { secrets, now }: Context): Promise<string[]> {
  const signing = await signingNumbers(workspace, secrets);
  return signing.flatMap((number) => validSecrets(number.secrets, now()));
}

async function signingNumbers(workspace: string, secrets: Context['secrets']): Promise<NumberWithSecrets[]> {
  const active: NumberWithSecrets[] = [];
  const others: NumberWithSecrets[] = [];
  for await (const one of secrets.listByWorkspace(workspace)) {
    (one.number.active ? active : others).push(one);
    if (active.length === maxNumbers) break;
  }
  return active.length > 0 ? active : others.slice(0, maxNumbers);
}

export interface NoteContext {
  exchanges: Pick<ExchangeStore, 'add'>;
  now: Clock;
}

/**
 * Records an exchange for the Flow's owner. The exchange matters more than its record: if the table does not accept the
 * record before `respondBy` (epoch milliseconds), it goes to the log instead.
 */
export async function noteExchange(
  flow: string,
  record: ExchangeRecord,
  respondBy: number,
  { exchanges, now }: NoteContext,
): Promise<void> {
  await within(respondBy - now(), exchanges.add(flow, record)).catch((error) => {
    const { findings, ...facts } = record;
    log('error', 'exchange.not-noted', { ...describeError(error), flow, ...facts, findings: findings.length });
  });
}

interface ProgressContext {
  sentFlows: Pick<SentFlowStore, 'find' | 'advance'>;
  now: Clock;
}

/**
 * Records how far the contact came in a sent Flow. A failure goes to the log, as with the record of the exchange. The
 * contact's next exchange records the progress again.
 */
export async function noteProgress(
  sent: SentFlow,
  record: ExchangeRecord,
  respondBy: number,
  { sentFlows, now }: ProgressContext,
): Promise<void> {
  const step = { stage: 'opened', screen: screenSeen(record) } as const;
  await within(respondBy - now(), recordStep(sent, step, sentFlows)).catch((error) => {
    log('error', 'exchange.progress-not-noted', { ...describeError(error), flow: sent.flow });
  });
}

/** The screen that the phone shows after the exchange. The record contains only names that the Flow declares. */
function screenSeen({ screen, answered_screen }: ExchangeRecord): string | undefined {
  return [answered_screen, screen].find((name) => name !== null && name !== successScreen) ?? undefined;
}

/** Explains the fault of a Flow's latest exchange, if that took place since this time. */
export async function latestFault(
  flow: string,
  since: number,
  { exchanges, now }: { exchanges: Pick<ExchangeStore, 'latest'>; now: Clock },
): Promise<Explanation | undefined> {
  const [latest] = await exchanges.latest(flow, now());
  return latest !== undefined && latest.at >= since ? faultExplanation(latest) : undefined;
}
