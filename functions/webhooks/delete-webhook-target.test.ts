import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listDeliveries } from '#functions/deliveries/contracts.ts';
import { makeHandler as makeList } from '#functions/deliveries/list-deliveries.ts';
import { changeTarget } from '#shared/delivery/change-target.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { challengeIn } from '#support/worlds/delivery-engine.ts';
import * as contracts from './contracts.ts';
import { makeHandler as makeDelete } from './delete-webhook-target.ts';
import { makeHandler as makeGet } from './get-webhook-target.ts';
import { makeHandler as makeRotate } from './rotate-webhook-secret.ts';
import { makeHandler as makeUpdateAll } from './update-webhook.ts';
import { makeHandler as makeUpdate } from './update-webhook-target.ts';

const log = captureLog();

const url = 'https://example.com/hook';
const meta = { format: 'meta', url, verify_token: 'verify-me' } as const;
let world: ApiWorld;
let forMembers: ApiWorld;

beforeAll(async () => {
  [world, forMembers] = await Promise.all([startApiWorld('owner'), startApiWorld('member')]);
});
beforeEach(() => {
  log.length = 0;
  for (const { handshakes } of [world, forMembers]) {
    handshakes.asked.length = 0;
    handshakes.answer = challengeIn;
  }
});
afterAll(() => Promise.all([world.close(), forMembers.close()]));

const at = (target: string) => ({ pathParameters: { target } });
const put = (number: PhoneNumber, target: string, body: unknown, inWorld = world) =>
  inWorld.call({ contract: contracts.updateWebhookTarget, makeHandler: makeUpdate }, number, { body, ...at(target) });
const remove = (number: PhoneNumber, target: string, inWorld = world) =>
  inWorld.call({ contract: contracts.deleteWebhookTarget, makeHandler: makeDelete }, number, at(target));
const get = async (number: PhoneNumber, target: string) =>
  (await world.call({ contract: contracts.getWebhookTarget, makeHandler: makeGet }, number, at(target))).json;
const list = async (number: PhoneNumber) =>
  (await world.call({ contract: contracts.listWebhookTargets, makeHandler: makeGet }, number)).json.data;
const rotate = (number: PhoneNumber, target: string) =>
  world.call({ contract: contracts.rotateWebhookTargetSecret, makeHandler: makeRotate }, number, at(target));

describe('a target with a name of its own', () => {
  it('is made with a secret that only this response shows, and listed behind those that every number has', async () => {
    const number = await world.newNumber();
    const { status, json } = await put(number, 'crm', { url, events: ['messages', 'calls.connect'] });
    const shown = { url, format: 'standard', events: ['messages', 'calls.connect'], headers: [] };
    expect({ status, json }).toEqual({ status: 200, json: { ...shown, secret: expect.stringMatching(/^whsec_/) } });
    expect(await get(number, 'crm')).toEqual(shown);
    expect((await put(number, 'crm', { events: null })).json).toEqual({ ...shown, events: null });
    expect((await list(number)).map(({ name }: { name: string }) => name)).toEqual([
      'webhook',
      'secondary_webhook',
      'calls_webhook',
      'crm',
    ]);
    const all = [(await world.secrets.get(number.id))?.current, json.secret];
    expect(new Set(all).size).toBe(2);
  });

  it('has a secret that is rotated apart from that of the number', async () => {
    const number = await world.newNumber();
    const { secret } = (await put(number, 'crm', { url })).json;
    const before = (await world.secrets.get(number.id))?.current;
    const rotated = (await rotate(number, 'crm')).json.secret;
    const stored = await world.secrets.get(number.id);
    expect(stored?.current).toBe(before);
    const [own] = Object.values(stored?.targets ?? {});
    expect([own?.current, own?.replaced?.[0]?.secret]).toEqual([rotated, secret]);
    for (const name of ['webhook', 'bot']) expect((await rotate(number, name)).status).toBe(404);
  });

  it('has a URL, which is checked and cannot be removed', async () => {
    const number = await world.newNumber();
    world.faults.set('https://10.0.0.1/', 'forbidden-address');
    for (const body of [{}, { url: null }, { events: null }, { url: 'https://10.0.0.1/' }]) {
      const { status, json } = await put(number, 'crm', body);
      expect([status, Object.keys(json.errors)]).toEqual([422, ['url']]);
    }
    expect(await list(number)).toHaveLength(3);
    await put(number, 'crm', { url });
    expect((await put(number, 'crm', { url: null })).status).toBe(422);
    expect((await put(number, 'crm', { url: `${url}/2` })).json.url).toBe(`${url}/2`);
  });

  it('begins anew when it is made again', async () => {
    const number = await world.newNumber();
    const first = (await put(number, 'crm', { url, headers: { 'x-a': '1' } })).json;
    const [before] = Object.keys((await world.secrets.get(number.id))?.targets ?? {});
    expect((await remove(number, 'crm')).status).toBe(204);
    expect((await remove(number, 'crm')).status).toBe(404);
    expect((await world.secrets.get(number.id))?.targets).toBeUndefined();
    const second = (await put(number, 'crm', { url })).json;
    expect(second.headers).toEqual([]);
    expect(second.secret).not.toBe(first.secret);
    const [after] = Object.keys((await world.secrets.get(number.id))?.targets ?? {});
    expect(after).not.toBe(before);
    expect(world.queuedFor(number)).toMatchObject([{ task: 'drain', target: before }]);
  });

  it('is one of five at most, also if they are made at the same time', async () => {
    const number = await world.newNumber();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const made = await Promise.all(names.map((name) => put(number, name, { url })));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 400, 400]);
    expect(made.find(({ status }) => status === 400)?.json.message).toContain('has 5 targets');
    expect(await list(number)).toHaveLength(8);
    const twice = await world.newNumber();
    const same = await Promise.all([put(twice, 'crm', { url }), put(twice, 'crm', { url })]);
    expect(same.map(({ status, json }) => [status, 'secret' in json])).toContainEqual([200, false]);
    expect(await list(twice)).toHaveLength(4);
  });

  it('is what the log can be asked for', async () => {
    const number = await world.newNumber({ webhook: url });
    await put(number, 'crm', { url });
    const operation = { contract: listDeliveries, makeHandler: makeList };
    const { status, json } = await world.call(operation, number, { query: { target: 'crm' } });
    expect([status, json.data]).toEqual([200, []]);
    expect((await world.call(operation, number, { query: { target: 'bot' } })).status).toBe(422);
  });

  it('is no matter of members, whatever they send, and no built-in target can be deleted', async () => {
    const number = await forMembers.newNumber({ webhook: url });
    expect((await put(number, 'crm', '{', forMembers)).status).toBe(403);
    expect((await remove(number, 'crm', forMembers)).status).toBe(403);
    const own = await world.newNumber();
    expect((await remove(own, 'webhook')).status).toBe(400);
    expect((await remove(own, 'crm')).status).toBe(404);
  });
});

describe("a target in Meta's format", () => {
  it('gets its URL, format, token and secret in one request with one handshake', async () => {
    const number = await world.newNumber();
    const { status, json } = await put(number, 'webhook', { ...meta, app_secret: 'x'.repeat(16) });
    expect({ status, json }).toEqual({ status: 200, json: { url, format: 'meta', events: null, headers: [] } });
    expect(world.handshakes.asked.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { 'hub.mode': 'subscribe', 'hub.challenge': expect.any(String), 'hub.verify_token': 'verify-me' },
    ]);
    expect((await world.secrets.get(number.id))?.targets).toEqual({
      webhook: { app_secret: 'x'.repeat(16), verify_token: 'verify-me' },
    });
    expect((await world.targets.read(number.id))?.targets.webhook).toMatchObject({ version: 1, secrets_version: 1 });
    expect(JSON.stringify([log, json])).not.toMatch(/verify-me|xxxx/);
  });

  it('gets an app secret that is shown once, if none is given', async () => {
    const number = await world.newNumber();
    const { app_secret } = (await put(number, 'crm', meta)).json;
    expect(app_secret).toMatch(/^[0-9a-f]{64}$/);
    // A change of the URL uses the token that is stored, and makes no other secret.
    expect((await put(number, 'crm', { url: `${url}/2` })).json).not.toHaveProperty('app_secret');
    expect(world.handshakes.asked.map(({ pathname }) => pathname)).toEqual(['/hook', '/hook/2']);
    const [own] = Object.values((await world.secrets.get(number.id))?.targets ?? {});
    expect(own).toMatchObject({ app_secret, verify_token: 'verify-me' });
    // Another secret needs no handshake.
    expect((await put(number, 'crm', { app_secret: 'y'.repeat(128) })).json).not.toHaveProperty('app_secret');
    expect(world.handshakes.asked).toHaveLength(2);
  });

  it('may ask for calls, and gives up the format again', async () => {
    const number = await world.newNumber();
    expect((await put(number, 'webhook', { ...meta, events: ['calls'] })).status).toBe(200);
    const { json } = await put(number, 'webhook', { format: 'standard', events: null });
    expect(json).toMatchObject({ url, format: 'standard' });
    expect((await put(number, 'webhook', { format: 'standard', url: null })).json.url).toBeNull();
    expect(world.handshakes.asked).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ['no verify token', { format: 'meta', url }, 'verify_token'],
    ['no URL', { format: 'meta', verify_token: 'x' }, 'url'],
    ['a URL that is none, with headers for it', { ...meta, url: '0', headers: { 'x-a': '1' } }, 'url'],
    ['a short secret', { ...meta, app_secret: 'x'.repeat(15) }, 'app_secret'],
    ['a long secret', { ...meta, app_secret: 'x'.repeat(129) }, 'app_secret'],
    ['an unknown format', { format: 'graph', url }, 'format'],
    ['a secret without the format', { app_secret: 'x'.repeat(16) }, 'app_secret'],
    ['a token without the format', { format: 'standard', url, verify_token: 'x' }, 'verify_token'],
    ['calls without the format', { format: 'standard', url, events: ['calls'] }, 'events.0'],
  ])('is not made with %s', async (_, body, field) => {
    world.faults.set('0', 'malformed');
    const number = await world.newNumber();
    const before = await world.targets.read(number.id);
    const { status, json } = await put(number, 'webhook', body);
    expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
    expect(await world.targets.read(number.id)).toEqual(before);
    expect(world.handshakes.asked).toEqual([]);
  });

  it('tells how the handshake failed, with nothing of the response, and changes nothing', async () => {
    const number = await world.newNumber({ webhook: url });
    const before = [await world.targets.read(number.id), await world.secrets.get(number.id)];
    const body = Buffer.from('s3cr3t');
    for (const [answer, text] of [
      [{ status: 403, body, truncated: false }, 'status 403'],
      [{ status: 200, body, truncated: false }, 'not with the text of hub.challenge'],
    ] as const) {
      world.handshakes.answer = () => answer;
      const { status, json } = await put(number, 'webhook', meta);
      expect([status, Object.keys(json.errors)]).toEqual([422, ['url']]);
      expect(json.message).toContain(text);
      expect(JSON.stringify([json, log])).not.toContain('s3cr3t');
    }
    expect([await world.targets.read(number.id), await world.secrets.get(number.id)]).toEqual(before);
  });

  it('passes the handshake also when PUT …/webhook moves it', async () => {
    const number = await world.newNumber();
    await put(number, 'webhook', meta);
    const operation = { contract: contracts.updateWebhook, makeHandler: makeUpdateAll };
    const move = (webhook: string | null) => world.call(operation, number, { body: { webhook } });
    expect((await move(`${url}/2`)).status).toBe(200);
    world.handshakes.answer = () => ({ status: 404, body: Buffer.alloc(0), truncated: false });
    const { status, json } = await move(`${url}/3`);
    expect([status, Object.keys(json.errors)]).toEqual([422, ['webhook']]);
    expect((await move(null)).status).toBe(200);
    expect(world.handshakes.asked.map(({ pathname }) => pathname)).toEqual(['/hook', '/hook/2', '/hook/3']);
  });

  it('is a matter of owners, but members may send back what they see', async () => {
    const number = await forMembers.newNumber({ webhook: url });
    for (const body of [meta, { format: 'standard', url: `${url}/2` }, { app_secret: 'x'.repeat(16) }]) {
      expect((await put(number, 'webhook', body, forMembers)).status).toBe(403);
    }
    await forMembers.targets.changeTarget(number.id, 'webhook', { format: 'meta' });
    const operation = { contract: contracts.updateWebhook, makeHandler: makeUpdateAll };
    const moved = await forMembers.call(operation, number, { body: { webhook: `${url}/2` } });
    expect([moved.status, forMembers.handshakes.asked]).toEqual([403, []]);
    await forMembers.targets.changeTarget(number.id, 'webhook', { format: 'standard' });
    const seen = { url, format: 'standard', events: ['messages'], headers: [] };
    expect(await put(number, 'webhook', seen, forMembers)).toMatchObject({ status: 200, json: seen });
  });

  it.each([
    ['member', 403],
    ['owner', 422],
  ])('is not moved by a PUT …/webhook of the %s who saw its earlier format: %d', async (role, expected) => {
    const { dependencies, ...its } = role === 'owner' ? world : forMembers;
    const number = await its.newNumber({ webhook: `${url}/1` });
    its.handshakes.answer = (asked) =>
      asked.startsWith(`${url}?`) ? challengeIn(asked) : { status: 403, body: Buffer.alloc(0), truncated: false };
    let isFirst = true;
    const setUrls: TargetStore['setUrls'] = async (...change) => {
      // Another owner is faster.
      const body = { ...meta, app_secret: 'x'.repeat(16) };
      if (isFirst) await changeTarget(number, { name: 'webhook', isOwner: true }, body, dependencies);
      isFirst = false;
      return its.targets.setUrls(...change);
    };
    const targets = { ...its.targets, setUrls };
    const makeHandler = () => makeUpdateAll({ ...dependencies, targets });
    const operation = { contract: contracts.updateWebhook, makeHandler };
    expect((await its.call(operation, number, { body: { webhook: `${url}/2` } })).status).toBe(expected);
    expect((await its.targets.read(number.id))?.targets.webhook).toMatchObject({ url, format: 'meta' });
  });
});
