import { isUtf8 } from 'node:buffer';
import { isObject, type JsonObject, maxJsonDepth, nestsDeeperThan, parseJson } from '#shared/base/json.ts';
import type { Attempt } from '#shared/egress/post.ts';
import { successScreen } from '#shared/flow-json/document/read-flow.ts';
import {
  type FlowOutline,
  noticeFindings,
  type ResponseFinding,
  responseFindings,
} from '#shared/flow-json/response/endpoint-response.ts';
import type { FlowRequest } from './envelope.ts';
import type { Fault } from './exchange-record.ts';

/** Whether the customer's response may be relayed, with the findings about it; if not, why not. */
export type CheckedResponse = RelayedResponse | RejectedResponse;

export interface RejectedResponse {
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
  findings: readonly ResponseFinding[];
  /** Why the phone cannot use the response, which is relayed nevertheless. */
  fault?: Fault;
}

const screenActions = ['INIT', 'data_exchange', 'BACK'];

/**
 * The statuses that the upstream distinguishes in responses of an endpoint that holds the key, and the faults that they
 * report. They belong to the platform's protocol for endpoints, not to the HTTP of our own API.
 */
const encryptedStatuses: ReadonlyMap<number, { status: RelayedResponse['status']; fault?: Fault }> = new Map([
  [200, { status: 200 }],
  [421, { status: 421, fault: 'cannot-decrypt' }],
  [427, { status: 427 }],
  [432, { status: 432, fault: 'bad-signature' }],
]);

const rejected = (fault: Fault, body?: Buffer): CheckedResponse => ({ relayed: false, fault, ...(body && { body }) });

const relayed = (
  status: RelayedResponse['status'],
  body: Buffer,
  rest: Partial<RelayedResponse> = {},
): CheckedResponse => ({
  relayed: true,
  status,
  body,
  findings: [],
  ...rest,
});

/** Checks a response in clear text as a phone would. */
export function checkResponse(request: FlowRequest, attempt: Attempt, flow: FlowOutline): CheckedResponse {
  if (attempt.outcome === 'failed') return rejected(attempt.error);
  const { status, body } = attempt;
  if (status === 427) return checkEndedToken(attempt);
  if (status !== 200) return rejected('status', body);
  if (attempt.truncated) return rejected('too-large', body);
  return checkBody(request, body, flow);
}

/** Checks a response that only the phone can decrypt: its status and whether it is base64. */
export function checkEncryptedResponse(attempt: Attempt): CheckedResponse {
  if (attempt.outcome === 'failed') return rejected(attempt.error);
  const { body, truncated, contentType } = attempt;
  const encryptedStatus = encryptedStatuses.get(attempt.status);
  if (encryptedStatus === undefined) return rejected('status', body);
  if (truncated) return rejected('too-large', body);
  if (encryptedStatus.status === 200 && !isBase64(body.toString('latin1'))) return rejected('not-base64', body);
  return relayed(encryptedStatus.status, body, { ...encryptedStatus, contentType });
}

/**
 * Checks the body of a response with status 200. The screen that the phone shows counts as known even if the Flow JSON
 * does not declare it: a phone continues with the version that it opened.
 */
export function checkBody(request: FlowRequest, body: Buffer, flow: FlowOutline): CheckedResponse {
  const response = isUtf8(body) ? parseJson(body) : undefined;
  if (!isObject(response)) return rejected('not-json', body);
  if (nestsDeeperThan(maxJsonDepth, response)) return rejected('too-deep', body);
  if (request.action === 'ping') return checkPing(response, body);
  if (request.reportedError !== undefined) return relayed(200, body, { findings: noticeFindings(response) });
  if (!screenActions.includes(request.action)) return relayed(200, body);
  const { screen, data = {} } = response;
  if (typeof screen !== 'string') return rejected('no-screen', body);
  if (!isObject(data) || !isWellTyped(data)) return rejected('invalid-data', body);
  const isKnown = screen === successScreen || flow.screens.size === 0 || flow.screens.has(screen);
  if (!isKnown && screen !== request.screen) return rejected('unknown-screen', body);
  return relayed(200, body, { screen, findings: responseFindings(flow, request.screen, response) });
}

/** Status 427 ends the flow token, whatever the body says. The body is relayed only if phones can read it. */
function checkEndedToken({ body, truncated }: Attempt & { outcome: 'responded' }): CheckedResponse {
  const words = !truncated && isUtf8(body) && isObject(parseJson(body)) ? body : Buffer.alloc(0);
  return relayed(427, words);
}

/** White space is removed first: as a part of the pattern, it would let a hostile response cause quadratic time. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text.replace(/\s/g, ''));
}

function checkPing({ data }: JsonObject, body: Buffer): CheckedResponse {
  return isObject(data) && data.status === 'active' ? relayed(200, body) : rejected('not-active', body);
}

function isWellTyped({ error_message, extension_message_response: response }: JsonObject): boolean {
  const isText = error_message === undefined || typeof error_message === 'string';
  return (
    isText &&
    (response === undefined || (isObject(response) && (response.params === undefined || isObject(response.params))))
  );
}
