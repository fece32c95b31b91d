import { describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import {
  appSecret,
  otherWabaId,
  phoneNumberId,
  silentPhoneNumberId,
  startReceiver,
  startTestUpstream,
  verifyToken,
  wabaId,
} from '#support/worlds/simulated-graph.ts';
import { simulatedApp } from '../core/accounts.ts';
import { seededPin } from './number-setup.ts';

const receiver = forEachTest(() => startReceiver());
const upstream = forEachTest(() => startTestUpstream({ callbackUrl: receiver.url }));

const appToken = `${simulatedApp.id}|${appSecret}`;

/** A call with the token of the app, or another one. */
async function withToken(token: string, method: string, path: string, body?: Record<string, unknown>) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${upstream.url}/v25.0${path}`, init);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape.
  return { status: response.status, json: (await response.json()) as any };
}
const asApp = (method: string, path: string, body?: Record<string, unknown>) => withToken(appToken, method, path, body);
const read = async (path: string) => (await upstream.graph('GET', path)).json;

const subscriptionsPath = `/${simulatedApp.id}/subscriptions`;
const subscription = () => ({
  object: 'whatsapp_business_account',
  callback_url: `${receiver.url}/new`,
  fields: 'messages, calls',
  verify_token: verifyToken,
});

describe('an app token', () => {
  it.each([
    ['a wrong secret', `${simulatedApp.id}|wrong`, 'signature'],
    ['an unknown app', `1|${appSecret}`, 'application'],
  ])('with %s is rejected', async (_, token, named) => {
    const { status, json } = await withToken(token, 'GET', '/app');
    expect({ status, code: json.error.code }).toEqual({ status: 401, code: 190 });
    expect(json.error.message).toContain(named);
  });
});

describe('the subscriptions of the app', () => {
  const current = async () => (await asApp('GET', subscriptionsPath)).json.data;

  it('have all fields from the start, and need the token of the app', async () => {
    const [{ fields, ...rest }] = await current();
    expect(rest).toEqual({ object: 'whatsapp_business_account', callback_url: receiver.url, active: true });
    expect(fields).toContainEqual({ name: 'messages', version: 'v25.0' });
    expect(fields.length).toBeGreaterThan(20);
    expect((await upstream.graph('GET', subscriptionsPath)).json.error.code).toBe(15);
  });

  it('are replaced after a handshake', async () => {
    expect((await asApp('POST', subscriptionsPath, subscription())).json).toEqual({ success: true });
    const named = (name: string) => ({ name, version: 'v25.0' });
    const [replaced] = await current();
    expect(replaced).toMatchObject({
      callback_url: `${receiver.url}/new`,
      fields: [named('messages'), named('calls')],
    });
  });

  it.each([
    ['a token that the callback does not know', { verify_token: 'wrong' }, 'HTTP Status Code = 403'],
    ['a server that does not listen', { callback_url: 'http://127.0.0.1:1/' }, 'curl_error'],
  ])('stay as they are after a handshake with %s', async (_, change, named) => {
    const { status, json } = await asApp('POST', subscriptionsPath, { ...subscription(), ...change });
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: 2200 });
    expect(json.error.message).toContain(named);
    expect((await current())[0].callback_url).toBe(receiver.url);
  });

  it('stay as they are if the callback responds with something other than the challenge', async () => {
    const callback_url = `${upstream.url}/simulator`;
    const { json } = await asApp('POST', subscriptionsPath, { ...subscription(), callback_url });
    expect(json.error).toMatchObject({ code: 2200, message: expect.stringContaining('challenge') });
  });
});

describe('an account', () => {
  it('is approved and verified', async () => {
    const fields = 'name,account_review_status,business_verification_status';
    expect(await read(`/${wabaId}?fields=${fields}`)).toEqual({
      id: wabaId,
      name: 'Lucky Shrub',
      account_review_status: 'APPROVED',
      business_verification_status: 'verified',
    });
  });

  it('lists its numbers with the requested fields, newest first', async () => {
    const { data } = await read(`/${wabaId}/phone_numbers?fields=display_phone_number,status`);
    expect(data).toEqual([
      { id: silentPhoneNumberId, display_phone_number: '+1 555-078-3882', status: 'CONNECTED' },
      { id: phoneNumberId, display_phone_number: '+1 555-078-3881', status: 'CONNECTED' },
    ]);
    const { data: some, paging } = await read(`/${wabaId}/phone_numbers?limit=1`);
    expect([some.length, paging.next]).toEqual([1, expect.stringContaining('after=')]);
    expect(await read(`/${otherWabaId}/phone_numbers`)).toEqual({ data: [] });
  });
});

describe('the apps that get the events of an account', () => {
  const path = `/${wabaId}/subscribed_apps`;
  const override = () => ({ override_callback_uri: `${receiver.url}/waba`, verify_token: verifyToken });
  const { id, name, link } = simulatedApp;
  const app = { whatsapp_business_api_data: { id, name, link } };

  const unsubscribed = () => upstream.control('PUT', '/setup/faults', { faults: ['app_not_subscribed'] });

  it('are the app, once it has subscribed', async () => {
    expect((await read(path)).data).toEqual([app]);
    await unsubscribed();
    expect((await read(path)).data).toEqual([]);
    expect((await upstream.graph('POST', path)).json).toEqual({ success: true });
    expect((await read(path)).data).toEqual([app]);
  });

  it('show an override, which ends when the app subscribes without one', async () => {
    expect((await upstream.graph('POST', path, override())).json).toEqual({ success: true });
    expect((await read(path)).data).toEqual([{ ...app, override_callback_uri: `${receiver.url}/waba` }]);
    await upstream.graph('POST', path, {});
    expect((await read(path)).data).toEqual([app]);
  });

  it('cannot send the events elsewhere before they are subscribed', async () => {
    await unsubscribed();
    const { json } = await upstream.graph('POST', path, override());
    expect(json.error).toMatchObject({ code: 100, message: expect.stringContaining('must be subscribed') });
    expect((await read(path)).data).toEqual([]);
  });
});

describe('a number', () => {
  const override = (uri: string) => ({
    webhook_configuration: { override_callback_uri: uri, verify_token: verifyToken },
  });
  const configuration = async () =>
    (await read(`/${phoneNumberId}?fields=webhook_configuration`)).webhook_configuration;

  it('can have a callback of its own, which an empty one removes', async () => {
    await upstream.graph('POST', `/${wabaId}/subscribed_apps`, {
      override_callback_uri: `${receiver.url}/waba`,
      verify_token: verifyToken,
    });
    expect((await upstream.graph('POST', `/${phoneNumberId}`, override(`${receiver.url}/number`))).json).toEqual({
      success: true,
    });
    const callbacks = { application: receiver.url, whatsapp_business_account: `${receiver.url}/waba` };
    expect(await configuration()).toEqual({ ...callbacks, phone_number: `${receiver.url}/number` });
    await upstream.graph('POST', `/${phoneNumberId}`, { webhook_configuration: { override_callback_uri: '' } });
    expect(await configuration()).toEqual(callbacks);
  });
});

describe('registration', () => {
  const register = async (pin: unknown, id = phoneNumberId) =>
    (await upstream.graph('POST', `/${id}/register`, { messaging_product: 'whatsapp', pin })).json;

  it('needs the PIN of the number', async () => {
    await upstream.control('PUT', '/setup/faults', { faults: ['number_not_registered'] });
    expect((await register('654321')).error.code).toBe(133005);
    expect(await register(seededPin)).toEqual({ success: true });
    expect((await read(`/${phoneNumberId}?fields=status`)).status).toBe('CONNECTED');
  });
});
