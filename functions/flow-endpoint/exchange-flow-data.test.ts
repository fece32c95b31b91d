import { createHmac, createPrivateKey } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { CredentialsReader } from '#shared/accounts/credentials-store.ts';
import { newId } from '#shared/base/ids.ts';
import type { Attempt, PostRequest } from '#shared/egress/post.ts';
import type { ExchangeRecord } from '#shared/flow-endpoint/exchange-record.ts';
import { openGrant } from '#shared/flow-endpoint/file-address.ts';
import type { FlowKey } from '#shared/flow-endpoint/flow-key-store.ts';
import { createFlowKey, publicKeyOf } from '#shared/flow-endpoint/flow-keys.ts';
import type { RelayContext } from '#shared/flow-endpoint/serve-request.ts';
import { readOutline } from '#shared/flow-json/response/endpoint-response.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import type { FlowStore } from '#shared/flows/flow-store.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import { signatureHeaders } from '#shared/webhooks/webhook-signature.ts';
import { httpEvent } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { fakeEnvelopes } from '#support/fakes/fake-envelopes.ts';
import { draft, now } from '#support/fakes/fake-flow-context.ts';
import { fakeSentFlows, newSentFlow } from '#support/fakes/fake-sent-flows.ts';
import { fakeCredentials, fakeSignatures, type OwnApp } from '#support/fakes/fake-signatures.ts';
import { encryptedFile } from '#support/flows/encrypted-file.ts';
import { phoneRequest } from '#support/flows/flow-phone.ts';
import { makeHandler } from './exchange-flow-data.ts';

const log = logOfEachTest();

const appSecret = 'app-secret';
const url = 'https://customer.example.com/flow';
const flow: FlowRecord = { ...draft, endpoint_url: url, endpoint_encrypted: false };
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let key: FlowKey;
let newKey: FlowKey;
beforeAll(async () => {
  [key, newKey] = await Promise.all([createFlowKey(0), createFlowKey(1)]);
});

const answered = (body: unknown, status = 200): Attempt => ({
  outcome: 'responded',
  durationMs: 12.4,
  status,
  body: Buffer.from(JSON.stringify(body)),
  truncated: false,
});

interface Options {
  flows?: FlowRecord[];
  attempt?: Attempt;
  context?: Partial<RelayContext>;
  add?: (flow: string, record: ExchangeRecord) => Promise<void>;
  credentials?: CredentialsReader;
  own?: readonly OwnApp[];
  findFlow?: FlowStore['find'];
}

/** The operation over one Flow and a customer's endpoint that gives this attempt. */
function service({
  flows = [flow],
  attempt = answered({ screen: 'DATE', data: {} }),
  context,
  add,
  credentials = fakeCredentials({ app_secret: ['older secret', appSecret] }),
  own = [],
  findFlow = async (id) => flows.find((one) => one.id === id),
}: Options = {}) {
  const posted: PostRequest[] = [];
  const noted: ExchangeRecord[] = [];
  const handler = makeHandler({
    now: () => now,
    mark,
    signatures: fakeSignatures(credentials, own),
    findFlow,
    envelopes: fakeEnvelopes(),
    exchanges: { add: add ?? (async (_, record) => void noted.push(record)) },
    context: {
      sender: {
        post: async (request) => {
          posted.push(request);
          return attempt;
        },
        close: () => {},
      },
      timeoutMs: 8_000,
      signingSecrets: async () => [secret],
      privateKeys: async () => [createPrivateKey(key.private_key)],
      outlineOf: async () => readOutline({ screens: [{ id: 'DATE' }] }),
      sentFlows: fakeSentFlows().store,
      fileUrl: (flow, file) => `https://api.example.com/${flow}/${file}`,
      now: () => now,
      ...context,
    },
  });
  return { handler, posted, noted };
}

async function sealed(payload: unknown, publicKey = publicKeyOf(key)) {
  const phone = await phoneRequest(payload, publicKey);
  const body = JSON.stringify(phone.envelope);
  return { phone, body, signature: `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}` };
}

async function ask(
  handler: ReturnType<typeof makeHandler>,
  payload: unknown,
  publicKey = publicKeyOf(key),
  others: Record<string, string> = {},
) {
  const { phone, body, signature } = await sealed(payload, publicKey);
  const headers = { ...others, 'x-hub-signature-256': signature };
  const event = { pathParameters: { flow: flow.id.toUpperCase() }, headers, body };
  const { statusCode, body: text, headers: responseHeaders } = await handler(httpEvent(event), {} as Context);
  return { phone, body, status: statusCode, text, headers: responseHeaders };
}

const init = { version: '3.0', action: 'INIT', flow_token: 'canary' };

describe('exchange-flow-data', () => {
  it('sends the customer a signed request in clear text, and responds to the phone', async () => {
    const { handler, posted, noted } = service();
    const { phone, status, text, headers } = await ask(handler, init);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'text/plain', 'cache-control': 'no-store' });
    expect(await phone.read(String(text))).toEqual({ screen: 'DATE', data: {} });
    expect(posted).toEqual([
      {
        url,
        body: Buffer.from(JSON.stringify(init)),
        timeoutMs: 8_000,
        headers: {
          'webhook-id': expect.stringMatching(new RegExp(`^${flow.id}_[0-9a-f-]{36}$`)),
          'webhook-timestamp': String(Math.floor(now / 1000)),
          'webhook-signature': expect.stringMatching(/^v1,/),
        },
      },
    ]);
    expect(noted).toEqual([
      {
        at: now,
        preview: null,
        action: 'INIT',
        screen: null,
        reported_error: null,
        answered_screen: 'DATE',
        duration_ms: 12,
        status: 200,
        bytes: 27,
        outcome: 'answered',
        fault: null,
        findings: [],
      },
    ]);
  });

  it('gives the customer an address in place of the keys of a file', async () => {
    const { token, sent } = newSentFlow({ flow: flow.id, workspace: flow.workspace });
    const { encryption_metadata } = await encryptedFile(Buffer.from('a picture'));
    const photo = { file_name: 'a.jpg', media_id: '1', cdn_url: 'https://mmg.whatsapp.net/1', encryption_metadata };
    const { handler, posted } = service({ context: { sentFlows: fakeSentFlows([sent]).store } });
    const request = { action: 'data_exchange', screen: 'DATE', data: { photos: [photo] } };
    for (const flow_token of [token, 'of another system']) await ask(handler, { ...request, flow_token });
    for (const [index, owner] of [sent.number, flow.workspace].entries()) {
      const { photos } = JSON.parse(String(posted[index]?.body)).data;
      const { url, ...others } = photos[0];
      expect(others).toEqual({ file_name: 'a.jpg', media_id: '1' });
      const file = url.slice(`https://api.example.com/${flow.id}/`.length);
      const { cdn_url, file_name } = photo;
      const grant = { cdn_url, file_name, encryption_metadata, owner, valid_until: now + 3_600_000 };
      expect(openGrant(file, [createPrivateKey(key.private_key)], flow.id, now)).toMatchObject(grant);
    }
  });

  it.each([
    [
      { action: 'INIT', screen: 'canary' },
      { action: 'INIT', screen: null },
    ],
    [
      { action: 'canary', screen: 'DATE' },
      { action: null, screen: 'DATE' },
    ],
    [
      { action: 'data_exchange', screen: 'DATE', data: { error_key: 'canary', error_message: 'canary' } },
      { action: 'data_exchange', screen: 'DATE', reported_error: 'unknown' },
    ],
    [
      { action: 'data_exchange', screen: 'DATE', data: { error: 'timeout_error', error_message: 'canary' } },
      { reported_error: 'timeout_error' },
    ],
  ])('does not record personal data that %j may contain', async (request, expected) => {
    const { handler, noted } = service({ attempt: answered({ screen: 'DATE', data: { error_message: 'canary' } }) });
    await ask(handler, { version: '3.0', flow_token: 'canary', ...request });
    expect(noted).toEqual([expect.objectContaining(expected)]);
    expect(JSON.stringify(noted)).not.toContain('canary');
  });

  it('does not record a screen of the response that the Flow does not have', async () => {
    const { handler, noted } = service({ attempt: answered({ screen: 'canary', data: {} }) });
    await ask(handler, { version: '3.0', action: 'data_exchange', screen: 'canary', data: {}, flow_token: 't' });
    expect(noted).toEqual([expect.objectContaining({ outcome: 'answered', screen: null, answered_screen: null })]);
  });

  it('does not call the endpoint of a workspace without numbers, because nothing could sign the request', async () => {
    const { handler, posted, noted } = service({ context: { signingSecrets: async () => [] } });
    expect((await ask(handler, init)).status).toBe(502);
    expect(posted).toEqual([]);
    expect(noted).toEqual([expect.objectContaining({ action: 'INIT', outcome: 'failed', fault: 'unsigned' })]);
  });

  const owned = (app_secret: string | string[]) => [
    { id: flow.workspace, credentials: fakeCredentials({ app_secret }) },
  ];

  it.each<[string, readonly OwnApp[], string | string[], boolean]>([
    ['an app secret of the workspace, with it', owned(appSecret), 'another', true],
    ['the app secret of the deployment, without it', [], appSecret, false],
    ['a secret that the deployment uses, too, without it', owned(['own', appSecret]), ['new', appSecret], false],
  ])('relays an encrypted envelope, if its signature is of %s', async (_, own, app_secret, isForwarded) => {
    const attempt: Attempt = { ...answered(''), body: Buffer.from('QUJD') } as Attempt;
    const flows = [{ ...flow, endpoint_encrypted: true }];
    const { handler, posted } = service({ flows, attempt, own, credentials: fakeCredentials({ app_secret }) });
    const { body, status, text } = await ask(handler, init);
    expect([status, text]).toEqual([200, 'QUJD']);
    expect(posted[0]?.body.toString()).toBe(body);
    expect(Object.hasOwn(posted[0]?.headers ?? {}, 'x-hub-signature-256')).toBe(isForwarded);
  });

  it.each([true, false])(
    'signs with the secrets of one Flow only, encrypted or not (%s)',
    async (endpoint_encrypted) => {
      const attempt: Attempt = { ...answered(''), body: Buffer.from('QUJD') } as Attempt;
      const { handler, posted } = service({ flows: [{ ...flow, endpoint_encrypted }], attempt });
      await ask(handler, init);
      const { headers = {}, body = '' } = posted[0] ?? {};
      const verify = (id: string) => {
        const timestamp = Number(headers['webhook-timestamp']);
        const again = signatureHeaders({ id, timestamp, body, secrets: [secret] });
        return again['webhook-signature'] === headers['webhook-signature'];
      };
      const id = String(headers['webhook-id']);
      expect(id.startsWith(`${flow.id}_`)).toBe(true);
      expect([verify(id), verify(id.replace(flow.id, newId()))]).toEqual([true, false]);
    },
  );

  it("accepts only the app of the Flow's workspace, if that has one of its own", async () => {
    const ownApp = (app_secret: string) => [{ id: flow.workspace, credentials: fakeCredentials({ app_secret }) }];
    const credentials = fakeCredentials({ app_secret: 'secret of the deployment' });
    expect((await ask(service({ credentials, own: ownApp(appSecret) }).handler, init)).status).toBe(200);
    const { handler, posted } = service({ own: ownApp('own secret') });
    expect((await ask(handler, init)).status).toBe(432);
    expect(posted).toEqual([]);
  });

  it('relays the marks of other deployments, so they can detect their own', async () => {
    const via = '1.1 messaging-service-other';
    const { handler, posted } = service({ flows: [{ ...flow, endpoint_encrypted: true }] });
    await ask(handler, init, undefined, { 'messaging-service-via': via });
    expect(posted[0]?.headers).toMatchObject({ 'messaging-service-via': via });
  });

  it('reads the keys again if none fits, because they may have been rotated', async () => {
    const ages: number[] = [];
    const privateKeys = async (_: string, maxAgeMs: number) => {
      ages.push(maxAgeMs);
      return [createPrivateKey((maxAgeMs < 60_000 ? newKey : key).private_key)];
    };
    const { handler } = service({ context: { privateKeys } });
    expect((await ask(handler, init, publicKeyOf(newKey))).status).toBe(200);
    expect(ages).toHaveLength(2);
    expect((await ask(handler, init)).status).toBe(200);
    expect(ages).toHaveLength(3);
  });

  it.each<[string, Attempt, number]>([
    ['status', answered('canary', 500), 502],
    ['timeout', { outcome: 'failed', error: 'timeout', durationMs: 8_000 }, 504],
  ])('fails, records the reason and logs no content: %s', async (fault, attempt, expected) => {
    const { handler, noted } = service({ attempt });
    const { status, text } = await ask(handler, init);
    expect([status, text]).toEqual([expected, undefined]);
    expect(noted).toEqual([expect.objectContaining({ outcome: 'failed', fault })]);
    expect(log).toContainEqual(expect.objectContaining({ event: 'endpoint.failed', flow: flow.id, fault }));
    expect(JSON.stringify([log, noted])).not.toContain('canary');
  });

  it('succeeds even if the record cannot be written', async () => {
    const add = vi.fn(async () => {
      throw new Error('table gone');
    });
    const { status } = await ask(service({ add }).handler, init);
    expect(status).toBe(200);
    expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'exchange.not-noted' }));
  });

  describe('a Flow that this service sent', () => {
    const ids = { flow: flow.id, workspace: flow.workspace };
    const withToken = (flow_token: string) => ({ ...init, flow_token });

    it('tells the endpoint the Flow, the message and the contact, and counts the contact on its screen', async () => {
      const { token, sent } = newSentFlow({ ...ids, contact: '5511999990000', message: 'wamid.HBg=' });
      const sentFlows = fakeSentFlows([newSentFlow(ids).sent, sent]);
      const { handler, posted } = service({ context: { sentFlows: sentFlows.store } });
      expect((await ask(handler, withToken(token))).status).toBe(200);
      expect(posted[0]?.headers).toMatchObject({
        'x-flow-id': flow.id,
        'x-message-id': 'wamid.HBg=',
        'x-contact': '5511999990000',
      });
      expect(posted[0]?.body.toString()).toBe(JSON.stringify(withToken(token)));
      expect(sentFlows.steps).toEqual([{ token_hash: sent.token_hash, stages: ['opened'], screens: { DATE: 1 } }]);
    });

    it('needs one read for its token, and writes nothing while the contact stays on a screen', async () => {
      const { token, sent } = newSentFlow({ ...ids, stage: 'opened', screen: 'DATE' });
      const { store, steps, lookUps } = fakeSentFlows([sent]);
      await ask(service({ context: { sentFlows: store } }).handler, withToken(token));
      expect([lookUps, steps]).toEqual([[sent.token_hash], []]);
    });

    it('counts the contact on the screen of the request when the endpoint fails or ends the Flow', async () => {
      const shown = { ...init, action: 'data_exchange', screen: 'DATE', data: {} };
      for (const attempt of [answered('', 500), answered({ screen: 'SUCCESS', data: {} })]) {
        const { token, sent } = newSentFlow({ ...ids, stage: 'opened' });
        const { store, steps } = fakeSentFlows([sent]);
        const { handler } = service({ attempt, context: { sentFlows: store } });
        await ask(handler, { ...shown, flow_token: token });
        expect(steps).toMatchObject([{ screens: { DATE: 1 } }]);
      }
    });

    it.each(['preview-018f', 'msgs_0', '', undefined])(
      'is not looked for by a token in another format: %s',
      async (flow_token) => {
        const { store, lookUps } = fakeSentFlows();
        const { handler, posted } = service({ context: { sentFlows: store } });
        expect((await ask(handler, { ...init, flow_token })).status).toBe(200);
        expect(lookUps).toEqual([]);
        expect(posted[0]?.headers).not.toHaveProperty('x-flow-id');
      },
    );

    const other = newId();
    it.each<[string, (token: string) => string, Partial<SentFlow>]>([
      ['was altered', (token) => token.replace(/.$/, (last) => (last === '0' ? '1' : '0')), {}],
      ['was cut short', (token) => token.slice(0, -1), {}],
      ['is unknown', () => newSentFlow(ids).token, {}],
      ['has expired', (token) => token, { expires_at: now }],
      ['belongs to another Flow', (token) => token, { flow: other }],
      ['belongs to another workspace', (token) => token, { workspace: other }],
    ])('gets 427 and an encrypted message, without its endpoint, if its token %s', async (_, shown, changes) => {
      const { token, sent } = newSentFlow({ ...ids, ...changes });
      const { store, steps } = fakeSentFlows([sent]);
      const { handler, posted, noted } = service({ context: { sentFlows: store } });
      const { phone, status, text } = await ask(handler, withToken(shown(token)));
      expect(status).toBe(427);
      expect(await phone.read(String(text))).toEqual({ error_msg: expect.any(String) });
      expect([posted, steps]).toEqual([[], []]);
      expect(noted).toEqual([
        expect.objectContaining({ action: 'INIT', outcome: 'failed', fault: 'invalid-flow-token', status: null }),
      ]);
      expect(log).toContainEqual(expect.objectContaining({ event: 'exchange.invalid-flow-token', flow: flow.id }));
      expect(JSON.stringify([log, noted])).not.toContain(token.slice(5, -1));
    });

    it('is relayed without headers when its record cannot be read', async () => {
      const { token, sent } = newSentFlow(ids);
      const { store } = fakeSentFlows([sent]);
      const find = () => Promise.reject(new Error('table gone'));
      const { handler, posted } = service({ context: { sentFlows: { ...store, find } } });
      expect((await ask(handler, withToken(token))).status).toBe(200);
      expect(posted[0]?.headers).not.toHaveProperty('x-flow-id');
      expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'exchange.token-not-read' }));
    });

    it('is relayed even if its progress cannot be counted', async () => {
      const { token, sent } = newSentFlow(ids);
      const { store } = fakeSentFlows([sent]);
      const advance = () => Promise.reject(new Error('table gone'));
      const { handler } = service({ context: { sentFlows: { ...store, advance } } });
      expect((await ask(handler, withToken(token))).status).toBe(200);
      expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'exchange.progress-not-noted' }));
    });

    it('stays unread if its endpoint holds the key', async () => {
      const { token, sent } = newSentFlow(ids);
      const { store, steps, lookUps } = fakeSentFlows([sent]);
      const attempt: Attempt = { ...answered(''), body: Buffer.from('QUJD') } as Attempt;
      const flows = [{ ...flow, endpoint_encrypted: true }];
      const { handler, posted } = service({ flows, attempt, context: { sentFlows: store } });
      expect((await ask(handler, withToken(token))).status).toBe(200);
      expect(posted[0]?.headers).not.toHaveProperty('x-flow-id');
      expect([steps, lookUps]).toEqual([[], []]);
    });
  });

  describe('in the ten seconds that the upstream waits', () => {
    const never = () => new Promise<never>(() => {});
    const soon = { context: { timeoutMs: 60_000 } };

    /** As if the gateway had received the request this long ago. */
    async function askLate(options: Options, ageMs: number) {
      const started = service(options);
      const { body, signature } = await sealed(init);
      const event = httpEvent({
        pathParameters: { flow: flow.id },
        headers: { 'x-hub-signature-256': signature },
        body,
      });
      const requestContext = { ...event.requestContext, timeEpoch: now - ageMs };
      const { statusCode } = await started.handler({ ...event, requestContext }, {} as Context);
      return { ...started, status: statusCode };
    }

    it.each([
      [0, 8_500],
      [3_000, 5_500],
    ])('the customer gets the remaining time for a request that is %i ms old: %i ms', async (ageMs, timeoutMs) => {
      const { posted, status } = await askLate(soon, ageMs);
      expect(status).toBe(200);
      expect(posted.map((request) => request.timeoutMs)).toEqual([timeoutMs]);
    });

    it('a slow record does not delay the response, and the log has its facts', async () => {
      const { status } = await askLate({ ...soon, add: never }, 8_400);
      expect(status).toBe(200);
      expect(log).toContainEqual(
        expect.objectContaining({ event: 'exchange.not-noted', flow: flow.id, action: 'INIT', outcome: 'answered' }),
      );
    });
  });

  it.each([
    ['is unknown', [], 404],
    ['is not known upstream yet', [{ ...flow, wa_id: undefined }], 404],
    ['has no endpoint', [{ ...flow, endpoint_url: null }], 400],
    ['is deprecated', [{ ...flow, status: 'DEPRECATED' }], 410],
    ['is blocked', [{ ...flow, status: 'BLOCKED' }], 403],
  ])('responds with the right status for a Flow that %s', async (_, flows, expected) => {
    const { handler, posted, noted } = service({ flows: flows as FlowRecord[] });
    const { status, text } = await ask(handler, init);
    expect(status).toBe(expected);
    expect(JSON.parse(String(text))).toEqual({ message: expect.any(String) });
    expect([posted, noted]).toEqual([[], []]);
  });

  it('reveals nothing to an unsigned request, not even which Flows exist', async () => {
    const { handler, posted, noted } = service();
    for (const id of [flow.id, 'unknown']) {
      const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
      const event = httpEvent({ pathParameters: { flow: id }, headers, body: '{}' });
      expect(await handler(event, {} as Context)).toMatchObject({ statusCode: 432, body: '' });
    }
    expect([posted, noted]).toEqual([[], []]);
  });
});
