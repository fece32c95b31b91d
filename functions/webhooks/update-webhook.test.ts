import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { UrlFault } from '#shared/egress/url-rules.ts';
import { type PhoneNumber, builtInTargets as targetNames } from '#shared/webhooks/subscriber.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { now, startApiWorld } from '#support/worlds/api-world.ts';
import { updateWebhook as contract } from './contracts.ts';
import { makeHandler } from './update-webhook.ts';

captureLog();

const url = 'https://example.com/hook';

const world = forAllTests(() => startApiWorld());

const put = (number: PhoneNumber, body: unknown, headers = {}) =>
  world.call({ contract, makeHandler }, number, { body, headers });

const settings = async ({ id }: PhoneNumber) => {
  const found = await world.targets.read(id);
  if (!found) throw new Error('The number is gone');
  return found;
};

/** The URLs that are set. */
async function urlsOf(number: PhoneNumber) {
  const { targets } = await settings(number);
  const entries = targetNames.map((target) => [target, targets[target].url]);
  return Object.fromEntries(entries.filter(([, set]) => set !== undefined));
}

describe('the webhook URLs', () => {
  it('are set, kept, replaced and removed', async () => {
    const number = await world.newNumber();
    const calls = 'https://example.com/calls';
    expect(await put(number, { webhook: url, calls_webhook: calls })).toMatchObject({
      status: 200,
      text: `{"webhook":"${url}","secondary_webhook":null,"calls_webhook":"${calls}"}`,
    });
    expect((await put(number, { webhook: `${url}/2` })).json).toMatchObject({
      webhook: `${url}/2`,
      calls_webhook: calls,
    });
    expect((await put(number, { webhook: null, secondary_webhook: null })).json).toEqual({
      webhook: null,
      secondary_webhook: null,
      calls_webhook: calls,
    });
    expect(await urlsOf(number)).toEqual({ calls_webhook: calls });
    expect((await settings(number)).subscriber).toEqual(number);
  });

  it('stay the same if the body has none', async () => {
    const number = await world.newNumber({ webhook: url });
    const before = await settings(number);
    const { status, json } = await put(number, {});
    expect(status).toBe(200);
    expect(json).toEqual({ webhook: url, secondary_webhook: null, calls_webhook: null });
    expect(await settings(number)).toEqual(before);
  });

  it.each(['url', 'Webhook_URL', 'secondaryWebhook'])('are rejected in a member called %s', async (member) => {
    const number = await world.newNumber({ webhook: url });
    const { status, headers, json } = await put(number, { [member]: `${url}/2` });
    expect([status, headers['x-error-code']]).toEqual([422, 'validation_failed']);
    expect(json.errors).toEqual({ [member]: [expect.stringContaining('webhook')] });
    expect((await world.targets.read(number.id))?.targets.webhook.url).toBe(url);
  });

  it('have at most 255 characters', async () => {
    const number = await world.newNumber();
    const longest = url.padEnd(255, 'x');
    expect((await put(number, { webhook: longest })).json.webhook).toBe(longest);
    const { status, json } = await put(number, { webhook: `${longest}x` });
    const text = expect.stringMatching(/255 characters.*forwarder/);
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
    const before = await settings(number);
    const { status, json } = await put(number, { webhook: `${url}/${fault}` });
    expect(status).toBe(422);
    expect(json).toEqual({ message: text, errors: { webhook: [text] } });
    expect(await settings(number)).toEqual(before);
  });

  it('is named in the requested language, also among several, and nothing is saved', async () => {
    const number = await world.newNumber();
    world.faults.set('https://10.0.0.1/', 'forbidden-address');
    const before = await settings(number);
    const body = { webhook: url, secondary_webhook: 'https://10.0.0.1/', calls_webhook: 'https://10.0.0.1/' };
    const { json } = await put(number, body, { 'accept-language': 'es' });
    expect(json).toEqual({
      message:
        'El campo secondary webhook no puede apuntar a una dirección privada, local o reservada. (y 1 error más)',
      errors: { secondary_webhook: [expect.any(String)], calls_webhook: [expect.any(String)] },
    });
    expect(await settings(number)).toEqual(before);
  });
});

describe('the signing secret', () => {
  it('is there before the first webhook, and neither shown nor changed by any', async () => {
    const number = await world.newNumber();
    const secrets = await world.secrets.get(number.id);
    expect(secrets).toEqual({ current: expect.stringMatching(/^whsec_/) });
    for (const body of [{ calls_webhook: url }, { webhook: url }, { webhook: null }]) {
      const { text } = await put(number, body);
      expect(text).not.toContain('whsec_');
    }
    expect(await world.secrets.get(number.id)).toEqual(secrets);
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
    const { breaker } = (await settings(number)).targets.webhook;
    expect(breaker).toMatchObject({ failures: 0, drain: { since: now, at: now, token: expect.any(String) } });
    expect(breaker).not.toHaveProperty('opened_at');
    expect(world.queuedFor(number)).toEqual([
      { task: 'drain', subscriber: number.id, target: 'webhook', token: breaker.drain?.token },
    ]);
  });

  it('stays so when its URL stays, or another one changes', async () => {
    const number = await world.newNumber({ webhook: url });
    await world.breakTarget(number, 'webhook');
    await put(number, { webhook: url, secondary_webhook: url });
    expect((await settings(number)).targets.webhook.breaker).toMatchObject({ opened_at: now });
    expect(world.queuedFor(number)).toEqual([]);
  });

  it('forgets the failures that it had begun to count', async () => {
    const number = await world.newNumber({ webhook: url });
    await world.breakers.countFailures(number.id, 'webhook', { url, failed: [newId()] });
    expect((await settings(number)).targets.webhook.breaker).toMatchObject({ failures: 1 });
    await put(number, { webhook: `${url}/new` });
    expect((await settings(number)).targets.webhook).toEqual({
      url: `${url}/new`,
      version: 2,
      breaker: { failures: 0 },
    });
  });

  it('goes on with a backlog that is being sent', async () => {
    const number = await world.newNumber({ webhook: url });
    await world.breakTarget(number, 'webhook');
    await world.breakers.startDraining(number.id, 'webhook', number.id, now);
    await put(number, { webhook: `${url}/new` });
    expect((await settings(number)).targets.webhook.breaker).toMatchObject({ drain: { token: number.id } });
  });
});
