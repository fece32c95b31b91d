import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHmac,
  generateKeyPairSync,
  privateDecrypt,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Attempt, PostRequest } from '#shared/egress/post.ts';
import type { ExchangeRecord } from '#shared/flow-endpoint/exchange-record.ts';
import { readOutline } from '#shared/flow-json/response/endpoint-response.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { now } from '#support/fakes/fake-flow-context.ts';
import { encryptedFile } from '#support/flows/encrypted-file.ts';
import { previewWorld } from '#support/flows/preview-world.ts';
import { makeHandler } from './exchange-preview-data.ts';

captureLog();

const dynamic = { endpoint_url: 'https://customer.example/flow', endpoint_encrypted: false };
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

const reply = (body: string, status = 200): Attempt => ({
  outcome: 'responded',
  durationMs: 12,
  status,
  body: Buffer.from(body),
  truncated: false,
});

interface Endpoint {
  answer: (request: PostRequest) => Attempt;
  key?: string | undefined;
  /** Members of the Flow JSON. */
  json?: object;
  add?: () => Promise<void>;
}

const flowJson = {
  version: '7.3',
  data_api_version: '3.0',
  screens: [{ id: 'FIRST' }, { id: 'NEXT', data: { slots: { type: 'array', items: { type: 'string' } } } }],
};

async function exchange(
  world: ReturnType<typeof previewWorld>,
  { answer, key = publicPem, json = {}, add }: Endpoint,
  options: Parameters<typeof world.request>[1] = {},
) {
  const posts: PostRequest[] = [];
  const noted: ExchangeRecord[] = [];
  const handler = makeHandler({
    ...world.dependencies,
    exchanges: { add: add ?? (async (_, record) => void noted.push(record)) },
    phone: {
      publicKey: async () => key || undefined,
      appSecret: async () => 'app-secret',
      exchange: {
        sender: {
          async post(request) {
            posts.push(request);
            return answer(request);
          },
          close() {},
        },
        timeoutMs: 8_000,
        signingSecrets: async () => [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
        outlineOf: async () => readOutline({ ...flowJson, ...json }),
        now: () => now,
      },
    },
  });
  const answered = await world.request(handler, {
    cookies: [world.openSession()],
    body: { action: 'data_exchange', screen: 'FIRST', data: { day: 'Mon' } },
    ...options,
  });
  return { status: answered.status, json: JSON.parse(answered.text), posts, noted };
}

describe('exchange-preview-data', () => {
  it('calls the endpoint as the upstream would, and returns its response', async () => {
    const world = previewWorld(dynamic);
    const answer = { screen: 'NEXT', data: { slots: ['nine'] } };
    const { status, json, posts, noted } = await exchange(world, { answer: () => reply(JSON.stringify(answer)) });
    expect([status, json]).toEqual([200, { status: 200, answer, problems: [] }]);
    expect(noted).toEqual([
      {
        at: now,
        preview: world.id,
        action: 'data_exchange',
        screen: 'FIRST',
        reported_error: null,
        answered_screen: 'NEXT',
        duration_ms: 12,
        status: 200,
        bytes: 43,
        outcome: 'answered',
        fault: null,
        findings: [],
      },
    ]);
    expect(posts.map(({ url, body }) => [url, JSON.parse(String(body))])).toEqual([
      [
        dynamic.endpoint_url,
        {
          version: '3.0',
          action: 'data_exchange',
          screen: 'FIRST',
          data: { day: 'Mon' },
          flow_token: `preview-${world.id}`,
        },
      ],
    ]);
  });

  it('gives the endpoint a file as a phone would: without keys, if it holds none', async () => {
    const { encryption_metadata } = await encryptedFile(Buffer.from('a picture'));
    const photo = { file_name: 'a.jpg', cdn_url: 'https://example.invalid/preview', encryption_metadata };
    const body = { action: 'data_exchange', screen: 'FIRST', data: { photos: [photo] } };
    const { posts } = await exchange(previewWorld(dynamic), { answer: () => reply('{}') }, { body });
    const [sent] = JSON.parse(String(posts[0]?.body)).data.photos;
    expect(sent).toEqual({ file_name: 'a.jpg', url: 'https://example.invalid/preview' });
  });

  it('lists in the viewer’s language where the response differs from what the Flow declares', async () => {
    const { json, noted } = await exchange(
      previewWorld(dynamic),
      { answer: () => reply('{"screen":"NEXT","data":{"slots":[9],"more":true}}') },
      { headers: { 'accept-language': 'es' } },
    );
    expect(json.problems).toEqual([
      expect.stringMatching(/^En la respuesta, data\.slots\[0\] no tiene el tipo .*\(string\)/),
      expect.stringContaining('La respuesta tiene data.more'),
    ]);
    expect(noted[0]).toMatchObject({ outcome: 'answered', fault: 'wrong-type', findings: [{}, {}] });
  });

  it('sends the data API version of the Flow JSON', async () => {
    const answer = () => reply('{"screen":"NEXT","data":{"slots":[]}}');
    const { posts } = await exchange(previewWorld(dynamic), { answer, json: { data_api_version: '4.0' } });
    expect(JSON.parse(String(posts[0]?.body)).version).toBe('4.0');
  });

  it('sends version 3.0 for a draft that names no data API version', async () => {
    const answer = () => reply('{"screen":"NEXT"}');
    const { posts } = await exchange(previewWorld(dynamic), { answer, json: { data_api_version: undefined } });
    expect(JSON.parse(String(posts[0]?.body)).version).toBe('3.0');
  });

  it.each<[string, Attempt, object]>([
    [
      'answers 500',
      reply('oops', 500),
      { status: 500, answer: 'oops', fault: 'The endpoint returned 500 instead of 200.' },
    ],
    [
      'answers what is too deep to be written again',
      reply(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
      { status: 200, answer: '['.repeat(10_000), fault: expect.any(String) },
    ],
    [
      'does not answer',
      { outcome: 'failed', error: 'timeout', durationMs: 8_000 } as Attempt,
      { fault: expect.any(String) },
    ],
    [
      'takes no token any more',
      reply('{"error_msg":"Too late"}', 427),
      { status: 427, answer: { error_msg: 'Too late' }, fault: 'Too late' },
    ],
  ])('explains the fault if the endpoint %s', async (_, attempt, expected) => {
    const { status, json } = await exchange(previewWorld(dynamic), { answer: () => attempt });
    expect([status, json]).toEqual([200, expected]);
  });

  describe('where only the customer can decrypt', () => {
    const sealed = { ...dynamic, endpoint_encrypted: true };

    it('acts as the phone: encrypts, signs, and decrypts the response', async () => {
      const { json, posts, noted } = await exchange(previewWorld(sealed), {
        answer: (request) => reply(answerSealed(request, '{"screen":"NEXT","data":{"slots":"all"}}')),
      });
      expect(json).toEqual({
        status: 200,
        answer: { screen: 'NEXT', data: { slots: 'all' } },
        problems: [expect.stringContaining('data.slots')],
      });
      expect(noted).toEqual([
        expect.objectContaining({
          action: 'data_exchange',
          screen: 'FIRST',
          answered_screen: 'NEXT',
          fault: 'wrong-type',
        }),
      ]);
      const [post] = posts;
      const signature = createHmac('sha256', 'app-secret').update(String(post?.body)).digest('hex');
      expect(post?.headers).toMatchObject({ 'x-hub-signature-256': `sha256=${signature}` });
      expect(String(post?.body)).not.toContain('FIRST');
    });

    it('shows the message with which the endpoint rejects a token', async () => {
      const answer = (request: PostRequest) => reply(answerSealed(request, '{"error_msg":"Too late"}'), 427);
      const { json } = await exchange(previewWorld(sealed), { answer });
      expect(json).toEqual({ status: 427, answer: { error_msg: 'Too late' }, fault: 'Too late' });
      const { json: mute } = await exchange(previewWorld(sealed), { answer: () => reply('{"error_msg":"x"}', 427) });
      expect(mute).toEqual({ status: 427, fault: expect.stringContaining('427') });
    });

    it.each<[string, Endpoint, string]>([
      ['has no key', { answer: () => reply(''), key: '' }, 'no public key'],
      ['has another key', { answer: () => reply('', 421) }, '421'],
      ['responds in clear text', { answer: () => reply('{"screen":"NEXT"}') }, 'base64'],
      ['encrypts otherwise', { answer: () => reply(Buffer.alloc(64).toString('base64')) }, 'inverted IV'],
    ])('explains the fault if the number or the endpoint %s', async (_, endpoint, words) => {
      const { status, json } = await exchange(previewWorld(sealed), endpoint);
      expect(status).toBe(200);
      expect(json.fault).toContain(words);
    });
  });

  it('returns 404 to anyone who has not unlocked the preview', async () => {
    const world = previewWorld(dynamic);
    const { status, posts } = await exchange(world, { answer: () => reply('{}') }, { cookies: [] });
    expect([status, posts]).toEqual([404, []]);
    expect((await exchange(previewWorld(dynamic, { valid_until: now }), { answer: () => reply('{}') })).status).toBe(
      404,
    );
  });

  it('explains that the Flow has no endpoint', async () => {
    const { json, posts } = await exchange(previewWorld(), { answer: () => reply('{}') });
    expect([json, posts]).toEqual([{ fault: expect.stringContaining('no endpoint') }, []]);
  });

  it('rejects requests that a phone would not send', async () => {
    const body = { action: 'ping', data: {} };
    expect((await exchange(previewWorld(dynamic), { answer: () => reply('{}') }, { body })).status).toBe(422);
  });
});

/** An endpoint written from the published scheme: the key by RSA-OAEP, the answer with the flipped IV. */
function answerSealed({ body }: PostRequest, clear: string): string {
  const envelope = JSON.parse(String(body));
  const bytes = (name: string) => Buffer.from(envelope[name], 'base64');
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const key = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, bytes('encrypted_aes_key'));
  const iv = bytes('initial_vector');
  const data = bytes('encrypted_flow_data');
  const decipher = createDecipheriv('aes-128-gcm', key, iv);
  decipher.setAuthTag(data.subarray(-16));
  const request = Buffer.concat([decipher.update(data.subarray(0, -16)), decipher.final()]);
  expect(JSON.parse(request.toString())).toMatchObject({ action: 'data_exchange', screen: 'FIRST' });
  const cipher = createCipheriv('aes-128-gcm', key, Buffer.from(iv.map((byte) => byte ^ 0xff)));
  return Buffer.concat([cipher.update(clear), cipher.final(), cipher.getAuthTag()]).toString('base64');
}
