import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type SignatureContext, upstreamSignature } from '#shared/accounts/event-signature.ts';
import { OutOfTimeError, within } from '#shared/base/concurrency.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { describeError, log } from '#shared/base/logger.ts';
import { ownVia } from '#shared/base/mark.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { type FlowRecord, isLive } from '#shared/flows/flow.ts';
import type { FlowStore } from '#shared/flows/flow-store.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import type { SentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { ownerOfToken, type TokenOwner } from '#shared/messages/track-sent-flow.ts';
import { hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import { checkEncryptedResponse, type RelayedResponse } from './check-response.ts';
import { type OpenedEnvelope, openEnvelope } from './envelope.ts';
import { exchangeDeadlines } from './exchange-deadlines.ts';
import type { ExchangeRecord, Fault } from './exchange-record.ts';
import type { EnvelopeStore } from './exchange-store.ts';
import { type AddressContext, addressFiles } from './file-address.ts';
import { openWithKeys } from './flow-keys.ts';
import {
  type DynamicFlow,
  type ExchangeContext,
  exchange,
  exchangeClear,
  failedBeforeSend,
  isDynamic,
  type NoteContext,
  noteExchange,
  noteProgress,
} from './make-exchange.ts';

interface ArrivedRequest extends Omit<EndpointRequest, 'endpointBy'> {
  /** The request's `X-Hub-Signature-256`. */
  signature: string | undefined;
  /** Epoch milliseconds. */
  receivedAt: number;
}

export interface ServeContext extends NoteContext {
  signatures: SignatureContext;
  findFlow: FlowStore['find'];
  envelopes: EnvelopeStore;
  context: RelayContext;
}

/**
 * `not-signed`: the request did not come from the upstream, or was meant for another Flow. `out-of-time`: this service
 * took too long before it could relay a response.
 */
export type ServeFault = Fault | 'not-signed' | 'out-of-time';

/** Exchanges data with a Flow's endpoint in the time that the upstream waits, and records the exchange. */
export async function serveRequest(
  id: string | undefined,
  request: ArrivedRequest,
  context: ServeContext,
): Promise<RelayOutcome> {
  const { now } = context;
  const { endpointBy, relayBy, respondBy } = exchangeDeadlines(request.receivedAt, now());
  try {
    const exchanged = await within(relayBy - now(), verifyAndRelay(id, { ...request, endpointBy }, context));
    if (!exchanged) return { relayed: false, fault: 'not-signed' };
    const { flow, record, outcome, sent } = exchanged;
    if (record.outcome === 'failed') warn(flow, record);
    await Promise.all([
      noteExchange(flow.id, record, respondBy, context),
      sent && noteProgress(sent, record, respondBy, context.context),
    ]);
    return outcome;
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error;
    log('error', 'exchange.out-of-time', { flow: parseUuid(id) });
    return { relayed: false, fault: 'out-of-time' };
  }
}

/**
 * Returns `undefined` if the request did not come from the upstream. The Flow is found first, because its workspace may
 * have an app of its own. Without a Flow the deployment's app counts, so that strangers do not learn which Flows exist.
 *
 * The signature covers the body only, so it says neither which Flow it is for nor when it was made. An envelope is
 * therefore bound to the Flow for which it came first, and customers get the signature only if no other workspace
 * accepts it.
 */
async function verifyAndRelay(
  id: string | undefined,
  request: ArrivedRequest & EndpointRequest,
  { signatures, findFlow, envelopes, context, now }: ServeContext,
): Promise<(Relayed & { flow: DynamicFlow }) | undefined> {
  const flowId = parseUuid(id);
  const stored = flowId === undefined ? undefined : await findFlow(flowId);
  const signature = upstreamSignature({ header: request.signature, body: request.body }, signatures);
  if (!(await signature.isFor(stored?.workspace))) return undefined;
  const flow = servedFlow(stored);
  const hash = createHash('sha256').update(request.body).digest('hex');
  const [isBound, isByOwnApp] = await Promise.all([
    envelopes.bind(hash, flow.id, now()),
    flow.endpoint_encrypted && signature.isByOwnApp(flow.workspace),
  ]);
  if (!isBound) {
    log('warn', 'exchange.of-another-flow', { flow: flow.id });
    return undefined;
  }
  const headers = { ...request.headers, ...(isByOwnApp && { [hubSignatureHeader]: request.signature ?? '' }) };
  // The endpoint gets clear text or the unopened envelope, as its owner chose.
  const relay = flow.endpoint_encrypted ? relayEncrypted : relayClear;
  return { flow, ...(await relay(flow, { ...request, headers }, context)) };
}

/** The Flow, if its endpoint can be served. Drafts count: the upstream tests theirs before publishing. */
function servedFlow(flow: FlowRecord | undefined): DynamicFlow {
  if (!flow || !isLive(flow)) throw new ServiceError('flow.not-found');
  if (flow.status === 'DEPRECATED') throw new ServiceError('flow-endpoint.deprecated');
  if (flow.status === 'BLOCKED') throw new ServiceError('flow-endpoint.blocked');
  if (!isDynamic(flow)) throw new ServiceError('flow-endpoint.none');
  return flow;
}

/**
 * Logs a warning only: although the response is a 5xx, a failure of the customer's endpoint is not a fault of the
 * service.
 */
function warn({ id }: DynamicFlow, { fault, status, duration_ms }: ExchangeRecord): void {
  const isUnmade = fault === 'undecryptable' || fault === 'invalid-flow-token';
  log('warn', isUnmade ? `exchange.${fault}` : 'endpoint.failed', { flow: id, fault, status, duration_ms });
}

/** Builds the response to the upstream. A phone shows the same error for every status except 200, 421, 427 and 504. */
export function endpointResponse(outcome: RelayOutcome) {
  if (!outcome.relayed) {
    const { fault, seal } = outcome;
    return fault === 'invalid-flow-token' ? endedToken(seal) : failure(fault);
  }
  const { status, body, contentType } = outcome;
  return {
    status,
    body: isUtf8(body) ? body.toString('utf8') : body,
    ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
  };
}

/**
 * What the contact reads when a flow token is not accepted. Nothing in the request says which language they speak.
 */
const endedTokenText =
  'This form is no longer available. / Este formulário não está mais disponível. / Este formulario ya no está disponible.';

function endedToken(seal: OpenedEnvelope['seal'] | undefined) {
  const body = seal?.(Buffer.from(JSON.stringify({ error_msg: endedTokenText }))) ?? '';
  return { status: 427, body } as const;
}

function failure(fault: ServeFault) {
  switch (fault) {
    case 'undecryptable':
      return { status: 421, body: '' } as const;
    case 'not-signed':
      return { status: 432, body: '' } as const;
    case 'timeout':
    case 'connect-timeout':
    case 'out-of-time':
      return { status: 504 } as const;
    default:
      return { status: 502 } as const;
  }
}

/**
 * The headers to forward with an encrypted envelope. They include the mark, so that two deployments cannot relay a
 * request in a loop. `header` reads the request's headers.
 */
export function forwardedHeaders(header: (name: string) => string | undefined): Record<string, string> {
  const mark = header(ownVia);
  return {
    'content-type': header('content-type') ?? 'application/json',
    ...(mark !== undefined && { [ownVia]: mark }),
  };
}

/** A request to a Flow's endpoint, as the upstream sends it. */
interface EndpointRequest {
  body: Buffer;
  /** The headers to send with an envelope that is not opened. */
  headers: Readonly<Record<string, string>>;
  /** The deadline of the customer's response, in epoch milliseconds. */
  endpointBy: number;
}

/** What the upstream gets: the endpoint's response, encrypted for the phone, or the reason for having none. */
type RelayOutcome =
  | Pick<RelayedResponse, 'relayed' | 'status' | 'body' | 'contentType'>
  | {
      relayed: false;
      fault: ServeFault;
      /** Encrypts a message for the phone, if its request was decrypted. */
      seal?: OpenedEnvelope['seal'];
    };

interface Relayed {
  outcome: RelayOutcome;
  record: ExchangeRecord;
  /** The sent Flow that the exchange belongs to, if this service sent it and can read the request. */
  sent?: SentFlow | undefined;
}

export interface RelayContext extends ExchangeContext, AddressContext {
  sentFlows: Pick<SentFlowStore, 'find' | 'advance'>;
}

/** How long an exchange waits for the record of its flow token. */
const tokenReadMs = 1_000;

async function relayClear(
  flow: DynamicFlow,
  { body, endpointBy }: EndpointRequest,
  context: RelayContext,
): Promise<Relayed> {
  const opened = await openWithKeys(flow.workspace, context.privateKeys, (keys) => openEnvelope(body, keys));
  if (!opened) return rejected('undecryptable', failedBeforeSend('undecryptable', context.now()).record);
  const { clear, seal } = opened;
  const { checked, record, sent } = await exchangeClear(flow, clear, endpointBy, context, {
    readToken: (token) => ownerOf(token, flow, context),
    bodyFor: (request, sent) => addressFiles(clear, { flow, request, sent }, context),
  });
  if (!checked.relayed) return { outcome: { relayed: false, fault: checked.fault, seal }, record, sent };
  const { status, body: answer } = checked;
  const sealed = answer.length === 0 ? answer : Buffer.from(seal(answer));
  return { outcome: { relayed: true, status, body: sealed }, record, sent };
}

/** A failed lookup does not make the token invalid: the customer's endpoint gets the request unchanged. */
async function ownerOf(
  token: string | undefined,
  flow: DynamicFlow,
  { sentFlows, now }: RelayContext,
): Promise<TokenOwner> {
  try {
    return await within(tokenReadMs, ownerOfToken(token, flow, now(), sentFlows));
  } catch (error) {
    log('error', 'exchange.token-not-read', { ...describeError(error), flow: flow.id });
    return 'foreign';
  }
}

async function relayEncrypted(
  flow: DynamicFlow,
  { body, headers, endpointBy }: EndpointRequest,
  context: ExchangeContext,
): Promise<Relayed> {
  const { checked, record } = await exchange(flow, { body, headers }, checkEncryptedResponse, endpointBy, context);
  if (!checked.relayed) return rejected(checked.fault, record);
  const { status, contentType, body: sealed } = checked;
  return { outcome: { relayed: true, status, contentType, body: sealed }, record };
}

const rejected = (fault: Fault, record: ExchangeRecord): Relayed => ({ outcome: { relayed: false, fault }, record });
