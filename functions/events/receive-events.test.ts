import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newTarget } from '#shared/webhooks/subscriber.ts';
import { send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { fakeIngestion } from '#support/fakes/fake-ingestion.ts';
import { fakeCredentials, fakeSignatures, type OwnApp } from '#support/fakes/fake-signatures.ts';
import { phoneNumber } from '#support/phone-number.ts';
import { makeHandler } from './receive-events.ts';

const number = phoneNumber({ display_phone_number: '+15550100001' });

const settings = {
  subscriber: number,
  targets: {
    webhook: { ...newTarget(), url: 'https://example.com/hook' },
    secondary_webhook: newTarget(),
    calls_webhook: newTarget(),
  },
};

const event = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { phone_number_id: number.phone_number_id },
            contacts: [{ profile: { name: 'Zoë' }, wa_id: '16505551234' }],
            messages: [
              { from: '16505551234', id: 'wamid.1', timestamp: '1769847000', type: 'text', text: { body: 'olá' } },
            ],
          },
        },
      ],
    },
  ],
});

const logged = logOfEachTest();

const sign = (body: string | Buffer, secret = 'secret') =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

interface Options {
  signature?: string;
  base64?: boolean;
  secrets?: string | string[];
  /** The app secret that is stored by now, where that is another. */
  stored?: string;
  sendFails?: boolean;
  own?: readonly OwnApp[];
}

async function receive(
  body: string,
  { signature = sign(body), base64 = false, secrets = 'secret', stored, sendFails, own }: Options = {},
) {
  const { context, queued, noted } = fakeIngestion([settings]);
  const queue = sendFails ? { send: () => Promise.reject(new Error('The queue is full')) } : context.queue;
  const handler = makeHandler({
    now: Date.now,
    mark,
    signatures: fakeSignatures(fakeCredentials({ app_secret: secrets }, { app_secret: stored ?? secrets }), own),
    ingestion: { ...context, queue },
  });
  const answer = await send(handler, {
    body: base64 ? Buffer.from(body).toString('base64') : body,
    isBase64Encoded: base64,
    headers: { 'x-hub-signature-256': signature },
  });
  return { ...answer, queued, noted };
}

describe('receive-events', () => {
  it.each([false, true])('accepts what the upstream signed (base64: %s)', async (base64) => {
    const { status, json, queued } = await receive(event, { base64 });
    expect([status, json]).toEqual([200, { success: true }]);
    expect(queued).toMatchObject([{ task: 'deliver', subscriber: number.id, target: 'webhook', kind: 'message' }]);
  });

  it('notes that an event of the number arrived', async () => {
    expect((await receive(event)).noted).toEqual([
      { number: number.id, last_event_at: expect.any(Number), kind: 'message' },
    ]);
  });

  it('skips an event with too many nesting levels and accepts the others', async () => {
    const deep = `${'['.repeat(10_000)}1.0${']'.repeat(10_000)}`;
    const message = event.replace(/.*"messages":\[(.*?)\]\}.*/, '$1');
    const both = event.replace(
      '"messages":[',
      `"messages":[${message.replace('wamid.1', 'wamid.2').replace('"olá"', deep)},`,
    );
    const { status, queued } = await receive(both);
    expect(status).toBe(200);
    expect(queued).toMatchObject([{ payload: { text: expect.stringContaining('wamid.1') } }]);
    expect(logged).toContainEqual(expect.objectContaining({ event: 'event.too-deep' }));
  });

  it.each([
    ['by somebody else', sign(event, 'another')],
    ['of another body', sign(`${event} `)],
    ['of no known form', 'sha1=00'],
    ['that is missing', ''],
  ])('rejects a signature %s and queues and notes nothing', async (_, signature) => {
    const { status, json, queued, noted } = await receive(event, { signature });
    expect([status, Object.keys(json), queued, noted]).toEqual([401, ['message'], [], []]);
  });

  describe('with a workspace that has an app of its own', () => {
    const ownApp = (id: string, waba_id: string, app_secret: string): OwnApp => ({
      id,
      waba_id,
      credentials: fakeCredentials({ app_secret }),
    });

    it.each([
      ['by the app of the deployment', 'secret'],
      ['by the app of another workspace, for its own account', 'other'],
    ])('drops what was signed %s, and logs that', async (_, secret) => {
      const own = [ownApp(number.workspace, '9', 'own'), ownApp('another-workspace', '1', 'other')];
      const { status, queued } = await receive(event, { own, signature: sign(event, secret) });
      expect([status, queued]).toEqual([200, []]);
      expect(logged).toContainEqual(
        expect.objectContaining({ level: 'warn', event: 'event.wrong-app', workspace: number.workspace }),
      );
    });
  });

  it('rejects malformed JSON, and says where it breaks', async () => {
    const { status, json } = await receive('{"entry":[1 2]}');
    expect([status, json.message]).toEqual([400, expect.stringContaining('at position 12 (line 1 column 13)')]);
    expect((await receive('{"entry":')).status).toBe(400);
    expect((await receive(`${'['.repeat(10_000)}1.0${']'.repeat(9_999)}`)).status).toBe(400);
  });

  it.each(['{}', '[]', 'null', '1', '"text"', '{"entry":[null]}'])(
    'accepts %s, which contains no event',
    async (body) => {
      expect(await receive(body)).toMatchObject({ status: 200, queued: [] });
      expect(logged).toContainEqual(expect.objectContaining({ event: 'event.ignored' }));
    },
  );

  it('fails if the queue does not accept a notification, so the upstream sends the events again', async () => {
    expect((await receive(event, { sendFails: true })).status).toBe(500);
  });

  it('logs no content of events', async () => {
    await receive(event);
    await receive(event, { sendFails: true });
    expect(JSON.stringify(logged)).not.toMatch(/olá|Zoë|16505551234|15550100001/);
  });
});
