import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { keys } from '#shared/aws/keys.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { newNamedTarget } from '#shared/webhooks/subscriber.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { createSecret, signatureHeaders } from '#shared/webhooks/webhook-signature.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { type LoopbackServer, listenOnLoopback } from '../aws/base/http/loopback.ts';
import { seededNumbers, seededTokens } from '../seed.ts';
import { describeWorld } from '../world-description.ts';
import { openConsole } from './console.ts';
import type { Behaviour, ReceivedWebhook } from './receiver.ts';
import { TableWatch } from './table-watch.ts';

const number = seededNumbers[0] as (typeof seededNumbers)[number];
const secret = createSecret();

let dynamodb: TestTable;
let console_: LoopbackServer & { readonly onAwsCall: ReturnType<typeof openConsole>['onAwsCall'] };
/** Stands for the service and the simulated platform. */
let other: LoopbackServer;
let asked: (Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: Buffer })[] = [];

/** Resolves when the client of `…/slow` has disconnected. */
const abandoned = Promise.withResolvers<void>();

/** Not UTF-8. */
const bytes = Buffer.from([0xff, 0xd8, 0x00, 0xfe, 0x80]);

beforeAll(async () => {
  dynamodb = await startTestTable();
  await numberStore(dynamodb.table).create(number, secret);
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    asked.push({ method, url, headers, body: Buffer.concat(await request.toArray()) });
    if (url?.endsWith('/slow')) {
      response.once('close', abandoned.resolve);
      return;
    }
    response.writeHead(url?.includes('missing') ? 404 : 200, { 'content-type': 'image/jpeg', 'set-cookie': 'a=b' });
    response.end(bytes);
  });
  other = await listenOnLoopback(server, 0);
  const opened = openConsole();
  const description = describeWorld({
    base_url: other.url,
    code_version: '',
    upstream_url: other.url,
    aws: {} as never,
  });
  const world = { table: dynamodb.table, description } as never;
  const served = await opened.serve(world, { port: 0, assets: join(tmpdir(), 'no-pages'), hosts: undefined });
  console_ = { ...served, onAwsCall: opened.onAwsCall };
});
afterAll(async () => {
  await console_.close();
  await other.close();
  await dynamodb.close();
});

const json = { 'content-type': 'application/json' };
const put = (behaviour: unknown) =>
  fetch(`${console_.url}/console/receiver`, { method: 'PUT', headers: json, body: JSON.stringify(behaviour) });

describe('the built-in receiver', () => {
  const usual: Behaviour = { responds: true, status: 200, delay_ms: 0 };
  beforeEach(() => put(usual));

  const url = (subscriber = number.id) => `${console_.url}/receiver/${subscriber}/webhook`;
  const received = async () => {
    const state = (await (await fetch(`${console_.url}/console/state`)).json()) as { received: ReceivedWebhook[] };
    return state.received.at(-1);
  };
  const post = (body: string, headers: Record<string, string> = {}, to = url()) =>
    fetch(to, { method: 'POST', headers, body });
  const signed = (body: string, secrets: string[]) => ({
    ...signatureHeaders({ id: 'delivery', timestamp: Math.floor(Date.now() / 1000), body, secrets }),
  });

  it('keeps what arrives, exactly', async () => {
    const body = '{"a": 1,\n "b": "ü"}';
    expect((await post(body, { 'x-own': 'yes', ...signed(body, [secret]) })).status).toBe(200);
    expect(await received()).toMatchObject({
      ...{ delivery: 'delivery', subscriber: number.id, target: 'webhook', body, bytes: 20 },
      ...{ status: 200, signature: 'right', headers: { 'x-own': 'yes' } },
    });
  });

  it('finds the signature of a replaced secret right while it is valid, and says so after that', async () => {
    const store = secretStore(dynamodb.table);
    const [current, replaced] = [createSecret(), createSecret()];
    for (const [valid_until, signatureState] of [
      [Date.now() + 60_000, 'right'],
      [Date.now() - 1, 'former-secret'],
    ] as const) {
      const before = await store.get(number.id);
      await store.replace(number, String(before?.current), {
        current,
        replaced: [{ secret: replaced, valid_until }],
      });
      await post('{}', signed('{}', [replaced]));
      expect((await received())?.signature).toBe(signatureState);
    }
    await store.replace(number, current, { current: secret, replaced: [] });
  });

  it("passes Meta's handshake, and knows the secret of a target with a name of its own", async () => {
    const asked = await fetch(`${url()}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=x`);
    expect([asked.status, await asked.text()]).toEqual([200, '1158201444']);
    const own = createSecret();
    const settings = { url: url(), secret: own };
    await targetStore(dynamodb.table).createTarget(number.id, newNamedTarget('crm'), settings);
    for (const [name, signature] of [
      ['crm', 'right'],
      ['webhook', 'wrong'],
    ]) {
      await post('{}', signed('{}', [own]), url().replace('/webhook', `/${name}`));
      expect((await received())?.signature).toBe(signature);
    }
  });

  it('responds with the status that it is told, until it is told another one', async () => {
    for (const status of [500, 204, 200]) {
      await put({ ...usual, status });
      expect((await post('{}')).status).toBe(status);
      expect((await received())?.status).toBe(status);
    }
  });

  it('can respond late, or not at all', async () => {
    await put({ ...usual, delay_ms: 50 });
    const started = performance.now();
    expect((await post('{}')).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(45);

    await put({ ...usual, responds: false });
    const leaving = new AbortController();
    const silent = fetch(url(), { method: 'POST', body: 'silent', signal: leaving.signal });
    await expect.poll(received).toMatchObject({ body: 'silent', status: null });
    leaving.abort();
    await expect(silent).rejects.toThrow('aborted');
  });

  it('rejects a behaviour that it does not know, and a body of more than 8 MB', async () => {
    expect((await put({ ...usual, status: 100 })).status).toBe(400);
    expect((await put({ status: 200 })).status).toBe(400);
    const before = await received();
    expect((await post('x'.repeat(8 * 1024 * 1024 + 1))).status).toBe(413);
    expect(await received()).toEqual(before);
  });
});

it('the console finds in an SDP what the service would find, with an explanation', async () => {
  const check = (body: object) =>
    fetch(`${console_.url}/console/sdp-check`, { method: 'POST', headers: json, body: JSON.stringify(body) });
  expect(await (await check({ sdp: 'hello', type: 'offer' })).json()).toEqual({
    data: [expect.objectContaining({ name: 'not-parseable', text: expect.stringContaining('not an SDP') })],
  });
  expect((await check({ sdp: 'hello' })).status).toBe(400);
});

describe('what the console passes on', () => {
  beforeEach(() => {
    asked = [];
  });

  it('reaches the service as the owner, with its path, query and body', async () => {
    const response = await fetch(`${console_.url}/service/v2/flows?limit=1`, {
      method: 'PUT',
      headers: json,
      body: bytes,
    });
    expect(response.status).toBe(200);
    expect(asked).toMatchObject([
      {
        method: 'PUT',
        url: '/v2/flows?limit=1',
        headers: { authorization: `Bearer ${seededTokens.owner}`, ...json },
        body: bytes,
      },
    ]);
  });

  it('may name another token', async () => {
    await fetch(`${console_.url}/service/v2/flows`, { headers: { authorization: 'Bearer mine' } });
    expect(asked[0]?.headers.authorization).toBe('Bearer mine');
  });

  it('reaches the simulated platform without a token, and comes back with its status, type and bytes', async () => {
    const response = await fetch(`${console_.url}/simulator/media/missing/content`);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'image/jpeg']);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(asked[0]).toMatchObject({ url: '/simulator/media/missing/content' });
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  it('runs nothing in a browser, whatever type it has', async () => {
    const { headers } = await fetch(`${console_.url}/simulator/media/1/content`);
    expect([headers.get('content-security-policy'), headers.get('x-content-type-options')]).toEqual([
      'sandbox',
      'nosniff',
    ]);
  });

  it('tells neither cookies nor where the page came from', async () => {
    const origin = console_.url;
    await fetch(`${console_.url}/service/v2/flows`, {
      method: 'POST',
      headers: { origin, cookie: 'a=b', referer: `${origin}/`, 'sec-fetch-site': 'same-origin' },
    });
    expect(Object.keys(asked[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(origin|cookie|referer|sec-fetch-site)$/)]),
    );
  });

  it('ends when the page leaves', async () => {
    const leaving = new AbortController();
    const left = fetch(`${console_.url}/simulator/slow`, { signal: leaving.signal });
    await expect.poll(() => asked.length).toBe(1);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    await abandoned.promise;
    expect((await fetch(`${console_.url}/simulator/calls`)).status).toBe(200);
  });

  it.each(['/service/v2/flows', '/simulator/events', '/console/receiver'])(
    'does not come from a page of another origin: %s',
    async (path) => {
      const headers = { ...json, origin: 'https://attacker.example' };
      expect((await fetch(console_.url + path, { method: 'PUT', headers, body: '{}' })).status).toBe(403);
      expect(asked).toEqual([]);
    },
  );
});

it('the page learns of numbers that somebody creates, and of no secrets', async () => {
  const workspace = { id: '11111111-0000-4000-8000-000000000001', name: 'New', waba_id: null, created_at: 1 };
  await workspaceStore(dynamodb.table).create(workspace);
  const own = { ...number, id: '33333333-0000-4000-8000-000000000009', phone_number_id: '9', workspace: workspace.id };
  await numberStore(dynamodb.table).create(own, secret);
  const { world } = (await (await fetch(`${console_.url}/console/state`)).json()) as { world: object };
  expect(world).toMatchObject({
    workspaces: [expect.objectContaining({ id: workspace.id, name: 'New' })],
    numbers: [expect.objectContaining({ id: own.id })],
  });
  expect(JSON.stringify(world)).not.toMatch(/app_secret|verify_token/);
});

it('of many deliveries, only the latest 50 are told and shown, also when the partitions of older ones are read', async () => {
  const ids = Array.from({ length: 60 }, (_, i) => `019a${String(i).padStart(4, '0')}-0000-7000-8000-000000000000`);
  const items = ids.map((id) => ({
    ...keys.delivery(number.id, 'webhook', id),
    ...{ id, subscriber: number.id, target: 'webhook', kind: 'message', payload: { text: '{}' }, state: 'delivered' },
    ...{ attempt_count: 0, attempts: [], replays: [], created_at: 1 },
  }));
  const { client, name: TableName } = dynamodb.table;
  await Promise.all(items.map((Item) => client.send(new PutCommand({ TableName, Item }))));
  const told: string[] = [];
  const publish = (topic: string, key: string) => topic === 'deliveries' && told.push(key);
  const watch = new TableWatch(dynamodb.table, { publish, isWatched: false } as never);
  const latest = ids.slice(-50);
  for (let readings = 0; readings < 2; readings += 1) {
    const { deliveries } = await watch.read();
    expect(deliveries.map(({ id }) => id)).toEqual(latest.toReversed());
    expect(told).toEqual(latest);
    watch.writing(items.map(({ pk }) => pk));
  }
  watch.close();
});

it('an unknown path is 404', async () => {
  expect((await fetch(`${console_.url}/nothing`)).status).toBe(404);
});

it('the table is read anew after a write and after the end of a function, and never because of a reading', async () => {
  const leaving = new AbortController();
  await fetch(`${console_.url}/stream`, { signal: leaving.signal });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const context = { 'dynamodb:LeadingKeys': [`SUBSCRIBER#${number.id}`] };
    const call = (action: string) => console_.onAwsCall({ accessKeyId: '', action, resource: '', context });
    for (const action of ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:BatchGetItem', 'sqs:SendMessage'])
      call(action);
    expect(vi.getTimerCount()).toBe(0);
    call('dynamodb:UpdateItem');
    expect(vi.getTimerCount()).toBe(1);
    vi.clearAllTimers();
  } finally {
    vi.useRealTimers();
    leaving.abort();
  }
});
