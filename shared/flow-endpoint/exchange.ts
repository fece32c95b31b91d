import type { KeyObject } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { LiveFlow } from '../flows/flow.ts';
import { newId } from '../ids.ts';
import { signatureHeaders } from '../notifications/signature.ts';
import type { Attempt, Sender } from '../outgoing/send.ts';
import { checkAnswer, checkSealedAnswer, type Verdict } from './check-answer.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import { type FlowRequest, readFlowRequest } from './request.ts';
import type { Screens } from './screens.ts';

/** What an exchange with a customer's endpoint needs. */
export interface ExchangeContext {
  sender: Sender;
  /** Milliseconds that the customer's endpoint has for everything. */
  timeoutMs: number;
  /** The secrets of the workspace's numbers, any of which verifies a request; none, and it is not signed. */
  signingSecrets: (workspace: string) => Promise<readonly string[]>;
  /** Private keys of a workspace, newest first, that were read at most so long ago. */
  privateKeys: (workspace: string, maxAgeMs: number) => Promise<readonly KeyObject[]>;
  screensOf: (flow: LiveFlow) => Promise<Screens>;
  now: Clock;
}

/** A Flow whose owner has given it an endpoint. */
export type DynamicFlow = LiveFlow & { endpoint_url: string };

export function isDynamic(flow: LiveFlow): flow is DynamicFlow {
  return flow.endpoint_url !== null;
}

/** What came of an exchange: what the customer said or why nothing is relayed, and the facts that its owner may see. */
export interface Exchange {
  verdict: Verdict;
  record: ExchangeRecord;
}

/** Asks the customer's endpoint in clear text: `clear` is sent to the byte, signed as notifications are. */
export async function exchangeClear(flow: DynamicFlow, clear: Buffer, context: ExchangeContext): Promise<Exchange> {
  const { now, signingSecrets, screensOf } = context;
  const at = now();
  const request = readFlowRequest(clear);
  if (!request) return undecryptable(at);
  const [headers, screens] = await Promise.all([
    signingSecrets(flow.workspace).then((secrets) => signed(clear, secrets, at)),
    screensOf(flow),
  ]);
  const attempt = await post(flow, clear, headers, context);
  const verdict = checkAnswer(request, attempt, screens);
  return { verdict, record: recordOf(at, attempt, verdict, request) };
}

/** Hands the customer's endpoint an envelope that only its owner can open, untouched. */
export async function exchangeSealed(
  flow: DynamicFlow,
  envelope: Buffer,
  headers: Readonly<Record<string, string>>,
  context: ExchangeContext,
): Promise<Exchange> {
  const at = context.now();
  const attempt = await post(flow, envelope, headers, context);
  const verdict = checkSealedAnswer(attempt);
  return { verdict, record: recordOf(at, attempt, verdict) };
}

/** The exchange that a request ends in which nobody can read. */
export function undecryptable(at: number): Exchange {
  const fault = 'undecryptable';
  return { verdict: { relayed: false, fault }, record: { ...nothing, at, outcome: 'failed', fault } };
}

function post(
  { endpoint_url }: DynamicFlow,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  { sender, timeoutMs }: ExchangeContext,
): Promise<Attempt> {
  const ours = { 'content-type': 'application/json', 'user-agent': 'messaging-service' };
  return sender.post({ url: endpoint_url, headers: { ...ours, ...headers }, body, timeoutMs });
}

function signed(body: Buffer, secrets: readonly string[], at: number): Record<string, string> {
  if (secrets.length === 0) return {};
  return { ...signatureHeaders({ id: newId(), timestamp: Math.floor(at / 1000), body, secrets }) };
}

const nothing = {
  action: null,
  screen: null,
  reported_error: null,
  answered_screen: null,
  duration_ms: 0,
  status: null,
  bytes: null,
};

function recordOf(at: number, attempt: Attempt, verdict: Verdict, request?: FlowRequest): ExchangeRecord {
  return {
    ...nothing,
    at,
    action: code(request?.action),
    screen: code(request?.screen),
    reported_error: code(request?.reportedError),
    answered_screen: verdict.relayed ? code(verdict.screen) : null,
    duration_ms: Math.round(attempt.durationMs),
    ...(attempt.outcome === 'answered' && { status: attempt.status, bytes: attempt.body.length }),
    outcome: verdict.relayed ? 'answered' : 'failed',
    fault: verdict.fault ?? null,
  };
}

/** Names and codes are kept, content never: what is not shaped like one may be content. */
function code(text: string | undefined): string | null {
  return text !== undefined && /^[\w-]{1,80}$/.test(text) ? text : null;
}
