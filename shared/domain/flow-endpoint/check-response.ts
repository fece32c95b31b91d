import { isUtf8 } from 'node:buffer';
import { maxJsonDepth, nestsDeeperThan } from '#shared/base/json/json-depth.ts';
import { isObject, type JsonObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { successScreen } from '#shared/flow-json/document/success-screen.ts';
import { noticeProblems, type ReplyProblem, replyProblems } from '#shared/flow-json/reply/endpoint-reply.ts';
import type { FlowOutline } from '#shared/flow-json/reply/outline.ts';
import type { Attempt } from '../egress/sender.ts';
import type { Fault } from './fault.ts';
import type { FlowRequest } from './request.ts';

/** Whether the customer's response may be relayed, with its problems; if not, the reason. */
export type Verdict = RelayedResponse | RefusedResponse;

export interface RefusedResponse {
  relayed: false;
  fault: Fault;
  /** The body of the response, if there is one. */
  body?: Buffer;
}

export interface RelayedResponse {
  relayed: true;
  status: 200 | 421 | 427 | 432;
  body: Buffer;
  contentType?: string | undefined;
  /** The screen that the response opens, if known. */
  screen?: string;
  problems: readonly ReplyProblem[];
  /** Why the phone cannot use the response, which is relayed nevertheless. */
  fault?: Fault;
}

const screenActions = ['INIT', 'data_exchange', 'BACK'];

/**
 * The statuses that the upstream distinguishes in responses of an endpoint that holds the key, and the faults that they
 * report.
 */
const sealedStatuses: ReadonlyMap<number, { status: RelayedResponse['status']; fault?: Fault }> = new Map([
  [200, { status: 200 }],
  [421, { status: 421, fault: 'cannot-decrypt' }],
  [427, { status: 427 }],
  [432, { status: 432, fault: 'bad-signature' }],
]);

const refused = (fault: Fault, body?: Buffer): Verdict => ({ relayed: false, fault, ...(body && { body }) });

const relayed = (status: RelayedResponse['status'], body: Buffer, rest: Partial<RelayedResponse> = {}): Verdict => ({
  relayed: true,
  status,
  body,
  problems: [],
  ...rest,
});

/** Checks a response in clear text by what a phone would make of it. */
export function checkResponse(request: FlowRequest, attempt: Attempt, flow: FlowOutline): Verdict {
  if (attempt.outcome === 'failed') return refused(attempt.error);
  const { status, body } = attempt;
  if (status === 427) return checkRefusedToken(attempt);
  if (status !== 200) return refused('status', body);
  if (attempt.truncated) return refused('too-large', body);
  return checkReply(request, body, flow);
}

/** Checks a response that only the phone can decrypt. All that shows is whether it can be one. */
export function checkSealedResponse(attempt: Attempt): Verdict {
  if (attempt.outcome === 'failed') return refused(attempt.error);
  const { body, truncated, headers } = attempt;
  const known = sealedStatuses.get(attempt.status);
  if (known === undefined) return refused('status', body);
  if (truncated) return refused('too-large', body);
  if (known.status === 200 && !isBase64(body.toString('latin1'))) return refused('not-base64', body);
  return relayed(known.status, body, { ...known, contentType: headers['content-type'] });
}

/**
 * Checks the body of a response with status 200. The screen that the phone shows counts as known even if the Flow JSON
 * does not declare it: a phone continues with the version that it opened.
 */
export function checkReply(request: FlowRequest, body: Buffer, flow: FlowOutline): Verdict {
  const reply = isUtf8(body) ? parseJson(body) : undefined;
  if (!isObject(reply)) return refused('not-json', body);
  if (nestsDeeperThan(maxJsonDepth, reply)) return refused('too-deep', body);
  if (request.action === 'ping') return checkPing(reply, body);
  if (request.reportedError !== undefined) return relayed(200, body, { problems: noticeProblems(reply) });
  if (!screenActions.includes(request.action)) return relayed(200, body);
  const { screen, data = {} } = reply;
  if (typeof screen !== 'string') return refused('no-screen', body);
  if (!isObject(data) || !isWellTyped(data)) return refused('invalid-data', body);
  const isKnown = screen === successScreen || flow.screens.size === 0 || flow.screens.has(screen);
  if (!isKnown && screen !== request.screen) return refused('unknown-screen', body);
  return relayed(200, body, { screen, problems: replyProblems(flow, request.screen, reply) });
}

/** Status 427 ends the flow token, whatever the body says. The body is relayed only if phones can read it. */
function checkRefusedToken({ body, truncated }: Attempt & { outcome: 'answered' }): Verdict {
  const words = !truncated && isUtf8(body) && isObject(parseJson(body)) ? body : Buffer.alloc(0);
  return relayed(427, words);
}

/** White space is removed first: as a part of the pattern, it would let a hostile response cause quadratic time. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text.replace(/\s/g, ''));
}

function checkPing({ data }: JsonObject, body: Buffer): Verdict {
  return isObject(data) && data.status === 'active' ? relayed(200, body) : refused('not-active', body);
}

/** Checks the members that the phone itself interprets. */
function isWellTyped({ error_message, extension_message_response: response }: JsonObject): boolean {
  const isText = error_message === undefined || typeof error_message === 'string';
  return (
    isText &&
    (response === undefined || (isObject(response) && (response.params === undefined || isObject(response.params))))
  );
}
