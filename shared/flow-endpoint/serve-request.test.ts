import { createPrivateKey } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CredentialsReader } from '#shared/accounts/credentials-store.ts';
import { newId } from '#shared/base/ids.ts';
import type { Attempt } from '#shared/egress/post.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import { hubSignature } from '#shared/webhooks/webhook-signature.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { fakeEnvelopes } from '#support/fakes/fake-envelopes.ts';
import { draft, now } from '#support/fakes/fake-flow-context.ts';
import { fakeSentFlows } from '#support/fakes/fake-sent-flows.ts';
import { fakeCredentials, fakeSignatures } from '#support/fakes/fake-signatures.ts';
import { phoneRequest } from '#support/flows/flow-phone.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import type { FlowKey } from './flow-key-store.ts';
import { createFlowKey, publicKeyOf } from './flow-keys.ts';
import { endpointResponse, type ServeContext, type ServeFault, serveRequest } from './serve-request.ts';

const log = captureLog();
beforeEach(() => void log.splice(0));

const appSecret = 'app-secret';
const flow: FlowRecord = { ...draft, endpoint_url: 'https://customer.example.com/flow', endpoint_encrypted: true };

let key: FlowKey;
beforeAll(async () => {
  key = await createFlowKey(0);
});

const response: Attempt = {
  outcome: 'responded',
  durationMs: 12,
  status: 200,
  contentType: 'text/plain',
  body: Buffer.from('c2VhbGVk'),
  truncated: false,
};

interface Options {
  stored?: FlowRecord;
  others?: readonly FlowRecord[];
  attempt?: Attempt;
  credentials?: CredentialsReader;
}

/** A service with one Flow, whose endpoint gives this attempt. */
function service({
  stored = flow,
  others = [],
  attempt = response,
  credentials = fakeCredentials({ app_secret: appSecret }),
}: Options = {}) {
  const noted: ExchangeRecord[] = [];
  const context: ServeContext = {
    now: () => now,
    signatures: fakeSignatures(credentials),
    findFlow: async (id) => [stored, ...others].find((one) => one.id === id),
    envelopes: fakeEnvelopes(),
    exchanges: { add: async (_, record) => void noted.push(record) },
    context: {
      sender: { post: async () => attempt, close: () => undefined },
      timeoutMs: 8_000,
      signingSecrets: async () => ['whsec_c2VjcmV0'],
      fileUrl: () => '',
      privateKeys: async () => [createPrivateKey(key.private_key)],
      sentFlows: fakeSentFlows().store,
      outlineOf: () => Promise.reject(new Error('Nothing here reads the Flow JSON')),
      now: () => now,
    },
  };
  return { context, noted };
}

function arrived(body: Buffer, { signature = hubSignature(body, appSecret), receivedAt = now } = {}) {
  return { body, headers: {}, signature, receivedAt };
}

const envelope = Buffer.from('{"encrypted":"…"}');

describe('serveRequest', () => {
  it('returns the response of the endpoint, and records the exchange', async () => {
    const { context, noted } = service();
    expect(await serveRequest(flow.id, arrived(envelope), context)).toEqual({
      relayed: true,
      status: 200,
      contentType: 'text/plain',
      body: Buffer.from('c2VhbGVk'),
    });
    expect(noted).toEqual([expect.objectContaining({ outcome: 'answered', status: 200 })]);
    expect(log).toEqual([]);
  });

  it('reports a request that none of our keys decrypts', async () => {
    const { context, noted } = service({ stored: { ...flow, endpoint_encrypted: false } });
    const phone = await phoneRequest({ action: 'ping' }, publicKeyOf(await createFlowKey(1)));
    const request = arrived(Buffer.from(JSON.stringify(phone.envelope)));
    expect(await serveRequest(flow.id, request, context)).toEqual({ relayed: false, fault: 'undecryptable' });
    expect(noted).toEqual([expect.objectContaining({ fault: 'undecryptable' })]);
    expect(log).toEqual([expect.objectContaining({ event: 'exchange.undecryptable' })]);
  });

  it('serves an envelope as often as it comes for one Flow, and for no other', async () => {
    const other = { ...flow, id: newId(), workspace: newId() };
    const { context, noted } = service({ others: [other] });
    const request = arrived(envelope);
    expect(await serveRequest(flow.id, request, context)).toMatchObject({ relayed: true });
    expect(await serveRequest(other.id, request, context)).toEqual({ relayed: false, fault: 'not-signed' });
    expect(await serveRequest(flow.id, request, context)).toMatchObject({ relayed: true });
    expect(noted).toHaveLength(2);
    expect(log).toEqual([expect.objectContaining({ event: 'exchange.of-another-flow', flow: other.id })]);
  });

  it('stops when the upstream waits no longer', async () => {
    const { context } = service({ credentials: () => new Promise(() => undefined) });
    const request = arrived(envelope, { receivedAt: now - 8_700 });
    expect(await serveRequest(flow.id, request, context)).toEqual({ relayed: false, fault: 'out-of-time' });
    expect(log).toEqual([expect.objectContaining({ event: 'exchange.out-of-time', flow: flow.id })]);
  });
});

describe('the response to a phone', () => {
  it('is that of the endpoint, as text if it is text', () => {
    const body = Buffer.from('c2VhbGVk');
    expect(endpointResponse({ relayed: true, status: 427, body })).toEqual({ status: 427, body: 'c2VhbGVk' });
    const bytes = Buffer.of(0xff, 0xfe);
    expect(endpointResponse({ relayed: true, status: 200, body: bytes, contentType: 'text/html' })).toEqual({
      status: 200,
      body: bytes,
      headers: { 'content-type': 'text/html' },
    });
  });

  it.each<[ServeFault, object]>([
    ['undecryptable', { status: 421, body: '' }],
    ['not-signed', { status: 432, body: '' }],
    ['timeout', { status: 504 }],
    ['connect-timeout', { status: 504 }],
    ['out-of-time', { status: 504 }],
    ['refused', { status: 502 }],
    ['not-json', { status: 502 }],
    ['invalid-flow-token', { status: 427, body: '' }],
  ])('has the status of the fault %s', (fault, response) => {
    expect(endpointResponse({ relayed: false, fault })).toEqual(response);
  });
});
