import { describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import {
  appSecret,
  phoneNumberId,
  silentPhoneNumberId,
  startReceiver,
  startTestUpstream,
  verifyToken,
  wabaId,
} from '#support/worlds/simulated-graph.ts';
import { simulatedApp } from '../core/accounts.ts';

const ofApp = forEachTest(() => startReceiver());
const ofAccount = forEachTest(() => startReceiver());
const ofNumber = forEachTest(() => startReceiver());
const upstream = forEachTest(() => startTestUpstream({ callbackUrl: ofApp.url }));

const overrideAccount = () =>
  upstream.graph('POST', `/${wabaId}/subscribed_apps`, {
    override_callback_uri: ofAccount.url,
    verify_token: verifyToken,
  });
const overrideNumber = () =>
  upstream.graph('POST', `/${phoneNumberId}`, {
    webhook_configuration: { override_callback_uri: ofNumber.url, verify_token: verifyToken },
  });
const subscribeTo = async (fields: string) => {
  const body = { object: 'whatsapp_business_account', callback_url: ofApp.url, fields, verify_token: verifyToken };
  const query = `?access_token=${encodeURIComponent(`${simulatedApp.id}|${appSecret}`)}`;
  const response = await fetch(`${upstream.url}/${simulatedApp.id}/subscriptions${query}`, {
    method: 'POST',
    body: new URLSearchParams(body),
  });
  expect(response.status).toBe(200);
};
const send = async (...events: Record<string, unknown>[]) => {
  const { status, json } = await upstream.control('POST', '/events', { events });
  expect(status).toBe(200);
  return json.data;
};

/** How many POSTs the callbacks of the app, the account and the number have got. */
const counts = () => [ofApp, ofAccount, ofNumber].map(({ received }) => received.length);

describe('an event of a number goes', () => {
  const text = { type: 'text', phone_number_id: phoneNumberId };

  it('to the app without overrides', async () => {
    await send(text);
    expect(counts()).toEqual([1, 0, 0]);
  });

  it('to the override of the account, before the app', async () => {
    await overrideAccount();
    await send(text, { type: 'call_connect', phone_number_id: silentPhoneNumberId });
    expect(counts()).toEqual([0, 2, 0]);
  });

  it('to the override of the number, before the account', async () => {
    await overrideAccount();
    await overrideNumber();
    await send(text, { ...text, phone_number_id: silentPhoneNumberId });
    expect(counts()).toEqual([0, 1, 1]);
  });

  it('there also without a request to the control surface', async () => {
    await overrideNumber();
    await upstream.graph('POST', `/${phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      to: '+16505551234',
      type: 'text',
      text: { body: 'Hello' },
    });
    await upstream.graph('POST', `/${phoneNumberId}/settings`, { calling: { callback_permission_status: 'ENABLED' } });
    await expect.poll(counts).toEqual([0, 0, 3]);
  });
});

it.each([
  ['account_update'],
  ['message_template_status_update'],
  ['phone_number_quality_update'],
  ['flow_status_change'],
  ['partner_added'],
])('an event of the account goes to the app despite overrides: %s', async (type) => {
  await overrideAccount();
  await overrideNumber();
  await send({ type, phone_number_id: phoneNumberId });
  expect(counts()).toEqual([1, 0, 0]);
});

describe('the app gets no event', () => {
  it('of a field to which it is not subscribed, also elsewhere', async () => {
    await overrideNumber();
    await subscribeTo('messages,account_update');
    const sent = await send(
      { type: 'text', phone_number_id: phoneNumberId },
      { type: 'call_connect', phone_number_id: phoneNumberId },
      { type: 'flow_status_change' },
      { type: 'account_update' },
    );
    expect(sent.length).toBe(2);
    expect(counts()).toEqual([1, 0, 1]);
  });

  it('of an account to which it is not subscribed', async () => {
    await upstream.control('PUT', '/setup/faults', { faults: ['app_not_subscribed'] });
    expect(await send({ type: 'text' }, { type: 'account_update' })).toEqual([]);
    await upstream.createFlow();
    await upstream.graph('POST', `/${wabaId}/subscribed_apps`);
    await upstream.createFlow();
    await expect.poll(counts).toEqual([1, 0, 0]);
  });
});

it('events of a field that the platform does not have are always sent', async () => {
  await subscribeTo('messages');
  await send({ type: 'field', field: 'holograms', value: {} });
  expect(counts()).toEqual([1, 0, 0]);
});
