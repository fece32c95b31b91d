import type { Clock } from '../clock.ts';
import type { FlowOutline } from '../flow-json/outline.ts';
import type { LiveFlow } from '../flows/flow.ts';
import { newId } from '../ids.ts';
import { signatureHeaders } from '../notifications/signature.ts';
import type { Attempt, Sender } from '../outgoing/send.ts';
import { checkAnswer, checkSealedAnswer, type Verdict } from './check-answer.ts';
import type { ExchangeFinding, ExchangeRecord } from './exchange-record.ts';
import type { Fault } from './fault.ts';
import { type FlowRequest, readFlowRequest } from './request.ts';

/** What an exchange with a customer's endpoint needs. */
export interface ExchangeContext {
  sender: Sender;
  /** Milliseconds that the customer's endpoint has for everything, if there is still so much time. */
  timeoutMs: number;
  /** The secrets of the workspace's numbers, any of which verifies a request; empty for a workspace without numbers. */
  signingSecrets: (workspace: string) => Promise<readonly string[]>;
  outlineOf: (flow: LiveFlow) => Promise<FlowOutline>;
  now: Clock;
}

/** A Flow whose owner has given it an endpoint. */
export type DynamicFlow = LiveFlow & { endpoint_url: string };

export function isDynamic(flow: LiveFlow): flow is DynamicFlow {
  return flow.endpoint_url !== null;
}

/** What is sent to a customer's endpoint. */
export interface EndpointMessage {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  /** What it asks, where that is known. */
  request?: FlowRequest;
}

/** What came of an exchange: what the customer said or why nothing is relayed, and the facts that its owner may see. */
export interface Exchange {
  verdict: Verdict;
  record: ExchangeRecord;
}

/**
 * Asks the customer's endpoint in clear text: `clear` is sent to the byte, signed as notifications are.
 * @param endpointBy when its answer has to be there, in epoch milliseconds
 */
export async function exchangeClear(
  flow: DynamicFlow,
  clear: Buffer,
  endpointBy: number,
  context: ExchangeContext,
): Promise<Exchange> {
  const at = context.now();
  const request = readFlowRequest(clear);
  if (!request) return unmade('undecryptable', at);
  const [secrets, outline] = await Promise.all([context.signingSecrets(flow.workspace), context.outlineOf(flow)]);
  if (secrets.length === 0) return unmade('unsigned', at, request);
  const headers = { ...signatureHeaders({ id: newId(), timestamp: Math.floor(at / 1000), body: clear, secrets }) };
  const judge = (attempt: Attempt) => checkAnswer(request, attempt, outline);
  return exchange(flow, { body: clear, headers, request }, judge, endpointBy, context);
}

/** Hands the customer's endpoint an envelope that only its owner can open, untouched. */
export function exchangeSealed(
  flow: DynamicFlow,
  message: EndpointMessage,
  endpointBy: number,
  context: ExchangeContext,
): Promise<Exchange> {
  return exchange(flow, message, checkSealedAnswer, endpointBy, context);
}

/** Posts a message to the customer's endpoint; `judge` says what to make of the answer. */
export async function exchange(
  { endpoint_url: url }: DynamicFlow,
  { body, headers, request }: EndpointMessage,
  judge: (attempt: Attempt) => Verdict,
  endpointBy: number,
  { sender, timeoutMs, now }: ExchangeContext,
): Promise<Exchange> {
  const at = now();
  const attempt = await sender.post({
    url,
    headers: { 'content-type': 'application/json', 'user-agent': 'messaging-service', ...headers },
    body,
    timeoutMs: Math.max(1, Math.min(timeoutMs, endpointBy - at)),
  });
  const verdict = judge(attempt);
  return { verdict, record: recordOf(at, attempt, verdict, request) };
}

/** The exchange that a request ends in which never reaches the customer's endpoint. */
export function unmade(fault: Fault, at: number, request?: FlowRequest): Exchange {
  return {
    verdict: { relayed: false, fault },
    record: { ...nothing, ...asked(request), at, outcome: 'failed', fault },
  };
}

const nothing = {
  preview: null,
  answered_screen: null,
  duration_ms: 0,
  status: null,
  bytes: null,
  findings: [],
};

function asked(request: FlowRequest | undefined): Pick<ExchangeRecord, 'action' | 'screen' | 'reported_error'> {
  return {
    action: code(request?.action),
    screen: code(request?.screen),
    reported_error: code(request?.reportedError),
  };
}

function recordOf(at: number, attempt: Attempt, verdict: Verdict, request: FlowRequest | undefined): ExchangeRecord {
  const findings = findingsOf(verdict);
  return {
    ...nothing,
    at,
    ...asked(request),
    answered_screen: verdict.relayed ? code(verdict.screen) : null,
    duration_ms: Math.round(attempt.durationMs),
    ...(attempt.outcome === 'answered' && { status: attempt.status, bytes: attempt.body.length }),
    outcome: verdict.relayed ? 'answered' : 'failed',
    fault: verdict.fault ?? findings[0]?.code ?? null,
    findings,
  };
}

function findingsOf(verdict: Verdict): ExchangeFinding[] {
  if (!verdict.relayed) return [];
  return verdict.problems.map(({ code: problem, path, expected = null }) => ({
    code: problem,
    path: /^[\w.[\]-]{1,200}$/.test(path) ? path : null,
    expected,
  }));
}

/** Names and codes are kept, content never: what is not shaped like one may be content. */
function code(text: string | undefined): string | null {
  return text !== undefined && /^[\w-]{1,80}$/.test(text) ? text : null;
}
