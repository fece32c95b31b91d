import type { KeyObject } from 'node:crypto';
import { describeError, log } from '#shared/base/logger.ts';
import { minuteMs, within } from '#shared/base/time.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import type { SentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { ownerOfToken, type TokenOwner } from '#shared/messages/track-sent-flow.ts';
import type { RelayedResponse } from './check-response.ts';
import { type OpenedEnvelope, openEnvelope } from './envelope.ts';
import type { ExchangeRecord, Fault } from './exchange-record.ts';
import {
  type DynamicFlow,
  type ExchangeContext,
  exchangeClear,
  exchangeEncrypted,
  failedBeforeSend,
} from './make-exchange.ts';

/** A request to a Flow's endpoint, as the upstream sends it. */
export interface EndpointRequest {
  body: Buffer;
  /** The headers to send with an envelope that is not opened. */
  headers: Readonly<Record<string, string>>;
  /** The deadline of the customer's response, in epoch milliseconds. */
  endpointBy: number;
}

/** What the upstream gets: the endpoint's response, encrypted for the phone, or the reason for having none. */
export type RelayOutcome<F = Fault> =
  | Pick<RelayedResponse, 'relayed' | 'status' | 'body' | 'contentType'>
  | {
      relayed: false;
      fault: F;
      /** Encrypts a message for the phone, if its request was decrypted. */
      seal?: OpenedEnvelope['seal'];
    };

export interface Relayed {
  outcome: RelayOutcome;
  record: ExchangeRecord;
  /** The sent Flow that the exchange belongs to, if this service sent it and can read the request. */
  sent?: SentFlow | undefined;
}

export interface RelayContext extends ExchangeContext {
  /** Reads the private keys of a workspace, newest first, from a cache that is at most `maxAgeMs` old. */
  privateKeys: (workspace: string, maxAgeMs: number) => Promise<readonly KeyObject[]>;
  sentFlows: Pick<SentFlowStore, 'find' | 'advance'>;
}

/**
 * Keys are cached for `keysKeptMs`. If no key fits, they may have been rotated in the meantime, so they are read again
 * unless they are younger than `keysFreshMs`.
 */
const keysKeptMs = 5 * minuteMs;
const keysFreshMs = 1_000;

/** How long an exchange waits for the record of its flow token. */
const tokenReadMs = 1_000;

/**
 * Relays a phone's request to the customer's endpoint, and the response back. The endpoint gets clear text or the
 * unopened envelope, as its owner chose.
 */
export function relay(flow: DynamicFlow, request: EndpointRequest, context: RelayContext): Promise<Relayed> {
  return flow.endpoint_encrypted ? relayEncrypted(flow, request, context) : relayClear(flow, request, context);
}

async function relayClear(
  flow: DynamicFlow,
  { body, endpointBy }: EndpointRequest,
  context: RelayContext,
): Promise<Relayed> {
  const opened = await open(flow.workspace, body, context);
  if (!opened) return rejected('undecryptable', failedBeforeSend('undecryptable', context.now()).record);
  const { clear: request, seal } = opened;
  const readToken = (token: string | undefined) => ownerOf(token, flow, context);
  const { checked, record, sent } = await exchangeClear(flow, request, endpointBy, context, readToken);
  if (!checked.relayed) return { outcome: { relayed: false, fault: checked.fault, seal }, record, sent };
  const { status, body: clear } = checked;
  const sealed = clear.length === 0 ? clear : Buffer.from(seal(clear));
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
  const { checked, record } = await exchangeEncrypted(flow, { body, headers }, endpointBy, context);
  if (!checked.relayed) return rejected(checked.fault, record);
  const { status, contentType, body: sealed } = checked;
  return { outcome: { relayed: true, status, contentType, body: sealed }, record };
}

const rejected = (fault: Fault, record: ExchangeRecord): Relayed => ({ outcome: { relayed: false, fault }, record });

async function open(workspace: string, body: Buffer, context: RelayContext): Promise<OpenedEnvelope | undefined> {
  const keys = await context.privateKeys(workspace, keysKeptMs);
  const opened = openEnvelope(body, keys);
  if (opened) return opened;
  const fresh = await context.privateKeys(workspace, keysFreshMs);
  return fresh === keys ? undefined : openEnvelope(body, fresh);
}
