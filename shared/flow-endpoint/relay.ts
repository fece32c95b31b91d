import { describeError, log } from '#shared/base/logger.ts';
import { within } from '#shared/base/time.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import type { SentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { ownerOfToken, type TokenOwner } from '#shared/messages/track-sent-flow.ts';
import type { RelayedResponse } from './check-response.ts';
import { type OpenedEnvelope, openEnvelope } from './envelope.ts';
import type { ExchangeRecord, Fault } from './exchange-record.ts';
import { type AddressContext, addressFiles } from './file-address.ts';
import {
  type DynamicFlow,
  type ExchangeContext,
  exchangeClear,
  exchangeEncrypted,
  failedBeforeSend,
} from './make-exchange.ts';
import { openWithKeys } from './private-keys.ts';

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

export interface RelayContext extends ExchangeContext, AddressContext {
  sentFlows: Pick<SentFlowStore, 'find' | 'advance'>;
}

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
  const { checked, record } = await exchangeEncrypted(flow, { body, headers }, endpointBy, context);
  if (!checked.relayed) return rejected(checked.fault, record);
  const { status, contentType, body: sealed } = checked;
  return { outcome: { relayed: true, status, contentType, body: sealed }, record };
}

const rejected = (fault: Fault, record: ExchangeRecord): Relayed => ({ outcome: { relayed: false, fault }, record });
