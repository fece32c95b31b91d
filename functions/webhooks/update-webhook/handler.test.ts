import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import { newForMs } from '#shared/domain/deliveries/known-settings.ts';
import type { UrlFault } from '#shared/domain/egress/url-fault.ts';
import { captureLog } from '#test/support/captured-log.ts';
import { now, startWebhookWorld, type WebhookWorld } from '#test/support/webhook-world.ts';
import { contract } from './contract.ts';
import { makeHandler } from './handler.ts';

captureLog();

const url = 'https://example.com/hook';
let world: WebhookWorld;

beforeAll(async () => {
  world = await startWebhookWorld();
});
afterAll(() => world.close());

const put = (number: PhoneNumber, body: unknown, headers = {}) =>
  world.call({ contract, makeHandler }, number, { body, headers });

const settings = async ({ id }: PhoneNumber) => {
  const found = await world.targets.read(id);
  if (!found) throw new Error('The number is gone');
  return found;
};

const stored = async (number: PhoneNumber) => (await settings(number)).subscriber as PhoneNumber;

describe('the webhook URLs', () => {
  it('are set, kept, replaced and removed', async () => {
    const number = await world.newNumber();
    const calls = 'https://example.com/calls';
    expect(await put(number, { webhook: url, calls_webhook: calls })).toMatchObject({
      status: 200,
      text: `{"webhook":"${url}","secondary_webhook":null,"calls_webhook":"${calls}"}`,
    });
    const set = await stored(number);
    expect((await put(set, { webhook: `${url}/2` })).json).toMatchObject({
      webhook: `${url}/2`,
      calls_webhook: calls,
    });
    expect((await put(set, { webhook: null, secondary_webhook: null })).json).toEqual({
      webhook: null,
      secondary_webhook: null,
      calls_webhook: calls,
    });
    expect(await stored(number)).toMatchObject({ ...number, calls_webhook: calls });
    expect(await stored(number)).not.toHaveProperty('webhook');
  });

  it('that are replaced or removed are no longer used by any consumer once the change responds', async () => {
    const number = await world.newNumber();
    const waits = async (body: unknown) => {
      world.waits.length = 0;
      await put(await stored(number), body);
      return world.waits;
    };
    expect(await waits({ webhook: url })).toEqual([]);
    expect(await waits({ webhook: url, secondary_webhook: url })).toEqual([]);
    expect(await waits({ webhook: `${url}/2` })).toEqual([newForMs]);
    expect(await waits({ secondary_webhook: null })).toEqual([newForMs]);
  });

  it('stay the same if the body has none', async () => {
    const number = await world.newNumber({ webhook: url });
    const { status, json } = await put(number, {});
    expect(status).toBe(200);
    expect(json).toEqual({ webhook: url, secondary_webhook: null, calls_webhook: null });
    expect(await settings(number)).toEqual({ subscriber: number, secrets: undefined, breakers: {} });
  });

  it('have at most 255 characters', async () => {
    const number = await world.newNumber();
    const longest = url.padEnd(255, 'x');
    expect((await put(number, { webhook: longest })).json.webhook).toBe(longest);
    const { status, json } = await put(number, { webhook: `${longest}x` });
    const text = 'The webhook field must not be longer than 255 characters.';
    expect(status).toBe(422);
    expect(json).toEqual({ message: text, errors: { webhook: [text] } });
  });

  it.each([[7], [true], [['https://example.com']], [{}]])('are strings or null, not %j', async (webhook) => {
    const { status, json } = await put(await world.newNumber(), { webhook });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(['webhook']);
  });
});

describe('a URL that must not be called', () => {
  it.each<[UrlFault, string]>([
    ['malformed', 'The webhook field must be a URL such as https://example.com/hook.'],
    ['scheme', 'The webhook field must be an https URL.'],
    ['credentials', 'The webhook field must be a URL without a user name or password.'],
    ['host', 'The webhook field must use the fully qualified domain name of a public host.'],
    ['port', 'The webhook field must use port 443 or 80.'],
    ['forbidden-address', 'The webhook field must not resolve to a private, local or reserved address.'],
  ])('is rejected with the reason: %s', async (fault, text) => {
    const number = await world.newNumber();
    world.faults.set(`${url}/${fault}`, fault);
    const { status, json } = await put(number, { webhook: `${url}/${fault}` });
    expect(status).toBe(422);
    expect(json).toEqual({ message: text, errors: { webhook: [text] } });
    expect(await settings(number)).toEqual({ subscriber: number, secrets: undefined, breakers: {} });
  });

  it('is named in the requested language, also among several, and nothing is saved', async () => {
    const number = await world.newNumber();
    world.faults.set('https://10.0.0.1/', 'forbidden-address');
    const body = { webhook: url, secondary_webhook: 'https://10.0.0.1/', calls_webhook: 'https://10.0.0.1/' };
    const { json } = await put(number, body, { 'accept-language': 'es' });
    expect(json).toEqual({
      message:
        'El campo secondary webhook no puede apuntar a una dirección privada, local o reservada. (y 1 error más)',
      errors: { secondary_webhook: [expect.any(String)], calls_webhook: [expect.any(String)] },
    });
    expect(await stored(number)).toEqual(number);
  });
});

describe('the signing secret', () => {
  it('is created with the first webhook, and neither shown nor changed by later ones', async () => {
    const number = await world.newNumber();
    const { text } = await put(number, { calls_webhook: url });
    const { secrets } = await settings(number);
    expect(secrets).toEqual({ current: expect.stringMatching(/^whsec_/) });
    expect(text).not.toContain('whsec_');
    await put(number, { webhook: url });
    expect((await settings(number)).secrets).toEqual(secrets);
  });

  it('is not created when a request removes a URL that does not exist', async () => {
    const number = await world.newNumber();
    await put(number, { webhook: null });
    expect((await settings(number)).secrets).toBeUndefined();
  });

  it('is the same for two first webhooks that are set at the same time', async () => {
    const number = await world.newNumber();
    const both = await Promise.all([put(number, { webhook: url }), put(number, { secondary_webhook: url })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await stored(number)).toMatchObject({ webhook: url, secondary_webhook: url });
  });
});

describe('a target whose circuit breaker is open', () => {
  it.each([
    ['changes', `${url}/new`],
    ['goes', null],
  ])('is in order again when its URL %s, and what is held for it is released', async (_, webhook) => {
    const number = await world.newNumber({ webhook: url });
    await world.breakTarget(number, 'webhook');
    await put(number, { webhook });
    const { breakers } = await settings(number);
    expect(breakers.webhook).toMatchObject({ failures: 0, drain: { since: now, at: now, token: expect.any(String) } });
    expect(breakers.webhook).not.toHaveProperty('opened_at');
    expect(world.queuedFor(number)).toEqual([
      { do: 'drain', number: number.id, target: 'webhook', token: breakers.webhook?.drain?.token },
    ]);
  });

  it('stays so when its URL stays, or another one changes', async () => {
    const number = await world.newNumber({ webhook: url });
    await world.breakTarget(number, 'webhook');
    await put(number, { webhook: url, secondary_webhook: url });
    expect((await settings(number)).breakers.webhook).toMatchObject({ opened_at: now });
    expect(world.queuedFor(number)).toEqual([]);
  });

  it('forgets the failures that it had begun to count', async () => {
    const number = await world.newNumber({ webhook: url });
    await world.targets.countFailures(number.id, 'webhook', [{ delivery: number.id, attempt: 'attempt' }]);
    await put(number, { webhook: `${url}/new` });
    expect((await settings(number)).breakers).toEqual({});
  });

  it('goes on with a backlog that is being sent', async () => {
    const number = await world.newNumber({ webhook: url });
    await world.breakTarget(number, 'webhook');
    await world.targets.startDraining(number.id, 'webhook', number.id, now);
    await put(number, { webhook: `${url}/new` });
    expect((await settings(number)).breakers.webhook).toMatchObject({ drain: { token: number.id } });
  });
});
