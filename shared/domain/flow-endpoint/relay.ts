import { isUtf8 } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import { minuteMs } from '#shared/base/duration.ts';
import { type OpenedEnvelope, openEnvelope } from './envelope.ts';
import { type DynamicFlow, type ExchangeContext, exchangeClear, exchangeSealed, unmade } from './exchange.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import type { Fault } from './fault.ts';

/** A request to a Flow's endpoint, as the upstream sends it. */
export interface EndpointRequest {
  body: Buffer;
  /** The headers to send with an envelope that is not opened. */
  headers: Readonly<Record<string, string>>;
  /** The deadline of the customer's response, in epoch milliseconds. */
  endpointBy: number;
}

/** The response to the upstream. A phone shows the same error for every status except 200, 421, 427 and 504. */
export type EndpointResponse =
  | { status: 200 | 421 | 427 | 432; body: string | Buffer; headers?: Record<string, string> }
  | { status: 502 | 504 };

export interface Relayed {
  answer: EndpointResponse;
  record: ExchangeRecord;
}

export interface RelayContext extends ExchangeContext {
  /** Reads the private keys of a workspace, newest first, from a cache that is at most `maxAgeMs` old. */
  privateKeys: (workspace: string, maxAgeMs: number) => Promise<readonly KeyObject[]>;
}

/**
 * Keys are cached for `keysKeptMs`. If no key fits, they may have been rotated in the meantime, so they are read again
 * unless they are younger than `keysFreshMs`.
 */
const keysKeptMs = 5 * minuteMs;
const keysFreshMs = 1_000;

/**
 * Relays a phone's request to the customer's endpoint, and the response back. The endpoint gets clear text or the
 * unopened envelope, as its owner chose.
 */
export function relay(flow: DynamicFlow, request: EndpointRequest, context: RelayContext): Promise<Relayed> {
  return flow.endpoint_encrypted ? relaySealed(flow, request, context) : relayClear(flow, request, context);
}

async function relayClear(
  flow: DynamicFlow,
  { body, endpointBy }: EndpointRequest,
  context: RelayContext,
): Promise<Relayed> {
  const opened = await open(flow.workspace, body, context);
  if (!opened) return { answer: failure('undecryptable'), record: unmade('undecryptable', context.now()).record };
  const { verdict, record } = await exchangeClear(flow, opened.clear, endpointBy, context);
  if (!verdict.relayed) return { answer: failure(verdict.fault), record };
  const { status, body: clear } = verdict;
  return { answer: { status, body: clear.length === 0 ? '' : opened.seal(clear) }, record };
}

async function relaySealed(
  flow: DynamicFlow,
  { body, headers, endpointBy }: EndpointRequest,
  context: ExchangeContext,
): Promise<Relayed> {
  const { verdict, record } = await exchangeSealed(flow, { body, headers }, endpointBy, context);
  if (!verdict.relayed) return { answer: failure(verdict.fault), record };
  const { status, contentType, body: answer } = verdict;
  return {
    answer: {
      status,
      body: isUtf8(answer) ? answer.toString('utf8') : answer,
      ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
    },
    record,
  };
}

async function open(workspace: string, body: Buffer, context: RelayContext): Promise<OpenedEnvelope | undefined> {
  const known = await context.privateKeys(workspace, keysKeptMs);
  const opened = openEnvelope(body, known);
  if (opened) return opened;
  const fresh = await context.privateKeys(workspace, keysFreshMs);
  return fresh === known ? undefined : openEnvelope(body, fresh);
}

function failure(fault: Fault): EndpointResponse {
  if (fault === 'undecryptable') return { status: 421, body: '' };
  return { status: fault === 'timeout' || fault === 'connect-timeout' ? 504 : 502 };
}
