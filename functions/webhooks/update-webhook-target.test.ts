import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { newTarget, type PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startApiWorld } from '#support/worlds/api-world.ts';
import { updateWebhookTarget as contract } from './contracts.ts';
import { makeHandler } from './update-webhook-target.ts';

const log = captureLog();

const url = 'https://example.com/hook';
const secret = 'Bearer s3cr3t';

const world = forAllTests(() => startApiWorld());
beforeEach(() => {
  log.length = 0;
});

const put = (number: Pick<PhoneNumber, 'id'>, body: unknown, target = 'webhook') =>
  world.call({ contract, makeHandler }, number, { body, pathParameters: { target } });

/** All that the table holds of a number's settings and secrets. */
const stored = ({ id }: PhoneNumber) => Promise.all([world.targets.read(id), world.secrets.get(id)]);

describe('a target', () => {
  it('is narrowed and gets headers, whose values never appear', async () => {
    const number = await world.newNumber({ webhook: url });
    const events = ['messages', 'statuses.failed', 'errors'];
    const answer = await put(number, { events, headers: { Authorization: secret, 'X-Tenant': 'acme' } });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ url, format: 'standard', events, headers: ['authorization', 'x-tenant'] });
    const settings = await world.targets.read(number.id);
    expect(settings?.targets.webhook).toEqual({
      url,
      events,
      headers: { origin: 'https://example.com', names: ['authorization', 'x-tenant'] },
      version: 2,
      secrets_version: 2,
      breaker: { failures: 0 },
    });
    expect((await world.secrets.get(number.id))?.targets).toEqual({
      webhook: { headers: { origin: 'https://example.com', headers: { authorization: secret, 'x-tenant': 'acme' } } },
    });
    expect(JSON.stringify(settings)).not.toContain('s3cr3t');
    expect(JSON.stringify([answer, log])).not.toContain('s3cr3t');
  });

  it('keeps what the body leaves out, and loses what is null', async () => {
    const number = await world.newNumber({ webhook: url });
    await put(number, { events: ['messages'], headers: { 'x-a': '1' } });
    expect((await put(number, { headers: { 'x-b': '2' } })).json).toMatchObject({
      events: ['messages'],
      headers: ['x-b'],
    });
    expect((await put(number, { events: null })).json).toMatchObject({ events: null, headers: ['x-b'] });
    // Events are not secret.
    expect((await world.targets.read(number.id))?.targets.webhook).toMatchObject({ version: 4, secrets_version: 3 });
    expect((await put(number, { headers: null })).json).toMatchObject({ events: null, headers: [] });
    expect((await put(number, {})).json).toMatchObject({ events: null, headers: [] });
    expect((await world.targets.read(number.id))?.targets.webhook).toEqual({
      url,
      version: 5,
      secrets_version: 5,
      breaker: { failures: 0 },
    });
    expect((await world.secrets.get(number.id))?.targets).toEqual({ webhook: {} });
  });

  it('keeps names and values of one request, if another one comes in between', async () => {
    const number = await world.newNumber({ webhook: url });
    let isFirst = true;
    const changeTarget: TargetStore['changeTarget'] = async (...change) => {
      if (isFirst) {
        isFirst = false;
        await put(number, { headers: { 'x-other': '2' } });
      }
      return world.targets.changeTarget(...change);
    };
    const targets = { ...world.targets, changeTarget };
    const operation = { contract, makeHandler: () => makeHandler({ ...world.dependencies, targets }) };
    const body = { headers: { 'x-a': '1' } };
    const { json } = await world.call(operation, number, { body, pathParameters: { target: 'webhook' } });
    expect(json).toMatchObject({ headers: ['x-a'] });
    expect((await world.secrets.get(number.id))?.targets?.webhook?.headers?.headers).toEqual({ 'x-a': '1' });
  });

  it('keeps its headers, names and values, if its URL changes meanwhile', async () => {
    const number = await world.newNumber({ webhook: url });
    await put(number, { headers: { 'x-a': '1' } });
    const changeTarget: TargetStore['changeTarget'] = async (...change) => {
      await world.targets.setUrls(number.id, { webhook: `${url}/moved` });
      return world.targets.changeTarget(...change);
    };
    const targets = { ...world.targets, changeTarget };
    const operation = { contract, makeHandler: () => makeHandler({ ...world.dependencies, targets }) };
    const body = { url, headers: { 'x-b': '2' } };
    expect((await world.call(operation, number, { body, pathParameters: { target: 'webhook' } })).status).toBe(409);
    const [settings, secrets] = await stored(number);
    expect(settings?.targets.webhook.headers?.names).toEqual(['x-a']);
    expect(secrets?.targets?.webhook?.headers?.headers).toEqual({ 'x-a': '1' });
  });

  it.each(['constructor', 'CONSTRUCTOR', 'toString', 'hasOwnProperty', 'valueOf'])(
    'may get a header %s',
    async (name) => {
      const number = await world.newNumber({ webhook: url });
      const answer = await put(number, { headers: { [name]: secret } });
      expect(answer).toMatchObject({ status: 200, json: { events: null, headers: [name.toLowerCase()] } });
      const { headers } = (await world.secrets.get(number.id))?.targets?.webhook?.headers ?? {};
      expect(Object.entries(headers ?? {})).toEqual([[name.toLowerCase(), secret]]);
    },
  );

  it('takes back what it shows', async () => {
    const number = await world.newNumber({ webhook: url });
    expect((await put(number, { events: null, headers: [] })).status).toBe(200);
    const { json } = await put(number, { events: ['errors'], headers: { 'X-B': '2', 'x-a': '1' } });
    const before = await world.secrets.get(number.id);
    for (const headers of [json.headers, ['X-B', 'X-A']]) {
      expect(await put(number, { ...json, headers })).toMatchObject({ status: 200, json });
    }
    expect(await world.secrets.get(number.id)).toEqual(before);
    // At another server, none of them is sent or shown.
    await world.targets.setUrls(number.id, { webhook: 'https://elsewhere.example.com/' });
    expect(await put(number, { headers: [] })).toMatchObject({ status: 200, json: { headers: [] } });
    expect((await put(number, { headers: ['x-a', 'x-b'] })).status).toBe(422);
    expect(await world.secrets.get(number.id)).toEqual(before);
  });

  it.each([[[]], [['x-a']], [['x-a', 'x-b', 'x-c']], [['x-a', 'x-b', 'x-b']], [['x-a', 'x-c']]])(
    'rejects any other list of names, such as %j, and changes nothing',
    async (headers) => {
      const number = await world.newNumber({ webhook: url });
      await put(number, { headers: { 'x-a': '1', 'x-b': '2' } });
      const before = await stored(number);
      const { status, json } = await put(number, { events: ['errors'], headers });
      expect([status, Object.keys(json.errors)]).toEqual([422, ['headers']]);
      expect(await stored(number)).toEqual(before);
    },
  );

  it('changes nothing of the other targets', async () => {
    const number = await world.newNumber({ webhook: url, secondary_webhook: url });
    await put(number, { headers: { 'x-a': '1' } }, 'secondary_webhook');
    await put(number, { events: ['messages'], headers: { 'x-b': '2' } });
    await put(number, { headers: null });
    const [settings, secrets] = await stored(number);
    expect(settings?.targets.secondary_webhook).toMatchObject({ version: 2, headers: { names: ['x-a'] } });
    expect(settings?.targets.secondary_webhook).not.toHaveProperty('events');
    expect(settings?.targets.calls_webhook).toEqual(newTarget());
    expect(secrets?.targets).toEqual({
      webhook: {},
      secondary_webhook: { headers: { origin: 'https://example.com', headers: { 'x-a': '1' } } },
    });
  });

  it('changes only if it still has the URL that the request names', async () => {
    const number = await world.newNumber({ webhook: url });
    const headers = { 'x-a': '1' };
    expect(await put(number, { headers, url })).toMatchObject({ status: 200, json: { headers: ['x-a'] } });
    expect((await put(number, { headers: null, url: 'HTTPS://EXAMPLE.COM:443/hook' })).status).toBe(200);
    const before = await stored(number);
    for (const body of [{ headers, events: ['messages'] }, {}]) {
      const { status, json } = await put(number, { ...body, url: `${url}/moved` });
      expect({ status, json }).toEqual({
        status: 409,
        json: { message: expect.stringContaining('The webhook URL is another one now.') },
      });
    }
    expect(await put(number, { url }, 'secondary_webhook')).toMatchObject({ status: 409 });
    expect(await stored(number)).toEqual(before);
  });

  it('shows no headers once its URL belongs to another server, until they are set again', async () => {
    const number = await world.newNumber({ webhook: url });
    await put(number, { headers: { 'x-a': '1' } });
    await world.targets.setUrls(number.id, { webhook: 'https://example.com/moved' });
    expect((await put(number, {})).json.headers).toEqual(['x-a']);
    await world.targets.setUrls(number.id, { webhook: 'https://elsewhere.example.com/hook' });
    expect((await put(number, {})).json.headers).toEqual([]);
    expect((await put(number, { headers: { 'x-b': '2' } })).json.headers).toEqual(['x-b']);
  });
});

describe('a body that is rejected', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['an empty list', { events: [] }, 'events', /at least 1/],
    ['too many events', { events: Array.from({ length: 51 }, (_, n) => `messages.${n}`) }, 'events', /50/],
    ['an event twice', { events: ['messages', 'messages'] }, 'events', /duplicate/],
    ['a wildcard', { events: ['messages', '*'] }, 'events.1', /such as messages, .* null/],
    ['a misspelt event', { events: ['message'] }, 'events.0', /such as messages, messages.text/],
    ['an event of another target', { events: ['messages', 'calls'] }, 'events.1', /no event/],
    ['a list of headers', { headers: ['authorization'] }, 'headers', /such as {"X-Api-Key"/],
    ['a member that does not exist', { event: ['messages'] }, 'event', /exist: events, headers, url, format/],
    ['a line break', { headers: { 'x-a': `${secret}\r\nx: y` } }, 'headers.x-a', /visible ASCII/],
  ])('has %s, and changes nothing', async (_, body, field, text) => {
    const number = await world.newNumber({ webhook: url });
    const before = await stored(number);
    const { status, json } = await put(number, body);
    expect(status).toBe(422);
    expect(json.errors).toEqual({ [field]: [expect.stringMatching(text)] });
    expect(JSON.stringify([json, log])).not.toContain('s3cr3t');
    expect(await stored(number)).toEqual(before);
  });

  it('has headers for a target without a URL', async () => {
    const number = await world.newNumber();
    const before = await stored(number);
    const { status, json } = await put(number, { events: ['messages'], headers: { 'x-a': secret } });
    expect(status).toBe(422);
    expect(json.errors).toEqual({ webhook: ['No webhook URL is set. Set one first.'] });
    expect(await stored(number)).toEqual(before);
  });
});

it('update-webhook-target takes calls at calls_webhook', async () => {
  const number = await world.newNumber();
  const { json } = await put(number, { events: ['calls.terminate'] }, 'calls_webhook');
  expect(json).toMatchObject({ events: ['calls.terminate'], headers: [] });
});

it('update-webhook-target knows no other targets, whatever the body is', async () => {
  const number = await world.newNumber();
  for (const target of ['Main', '', '__proto__', 'WEBHOOK', 'my_hook', 'a'.repeat(33), '1st']) {
    const { status, json } = await put(number, '{', target);
    expect(status).toBe(404);
    expect(json.message).toMatch(/webhook, secondary_webhook, calls_webhook; .* up to 31 lower-case letters/);
  }
  expect((await put({ id: newId() }, '{', 'Main')).status).toBe(404);
});
