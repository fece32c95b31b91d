import { createHmac } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSealedEndpoint } from '#support/flows/sealed-endpoint.ts';
import { forAllTests } from '#support/for-tests.ts';
import {
  appSecret,
  endpointFlowJson,
  phoneNumberId,
  startReceiver,
  startTestUpstream,
  verifyToken,
  wabaId,
} from '#support/worlds/simulated-graph.ts';
import { simulatedApp } from '../core/accounts.ts';
import type { SetupFault } from '../core/setup-faults.ts';
import { sdpOffer } from '../events/samples.ts';
import { elsewhere } from './callbacks.ts';
import { seededPin } from './number-setup.ts';

let flow: string;
const endpoint = forAllTests(() => startSealedEndpoint(() => ({ data: { status: 'active' } })));
const receiver = forAllTests(() => startReceiver());
const upstream = forAllTests(() => startTestUpstream({ callbackUrl: receiver.url, webhookRetryMs: [] }));
beforeAll(async () => {
  await uploadKey();
  flow = await upstream.createFlow({ flow_json: endpointFlowJson, endpoint_uri: endpoint.url });
  expect((await upstream.graph('POST', `/${flow}/publish`)).status).toBe(200);
});
afterEach(() => switchOn());

const appToken = `${simulatedApp.id}|${appSecret}`;

const switchOn = (...faults: SetupFault[]) => upstream.control('PUT', '/setup/faults', { faults });
const uploadKey = () =>
  upstream.graph('POST', `/${phoneNumberId}/whatsapp_business_encryption`, { business_public_key: endpoint.publicKey });

/** A request as the app. */
async function asApp(method: string, path: string, body?: Record<string, unknown>) {
  const headers = { authorization: `Bearer ${appToken}`, 'content-type': 'application/json' };
  const response = await fetch(`${upstream.url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape.
  return (await response.json()) as any;
}

describe('the faults of the set-up', () => {
  it('are off in a new world, are replaced as a whole, and have known names', async () => {
    const { json } = await upstream.control('GET', '/setup/faults');
    expect(json).toEqual({ faults: [], available: expect.anything() });
    await switchOn('quality_red', 'clock_off');
    expect((await switchOn('quality_yellow')).json).toEqual({ faults: ['quality_yellow'] });
    for (const body of [{}, { faults: ['gremlins'] }, { faults: 'quality_red' }]) {
      expect((await upstream.control('PUT', '/setup/faults', body)).status).toBe(400);
    }
    expect((await upstream.control('GET', '/setup/faults')).json).toMatchObject({ faults: ['quality_yellow'] });
  });

  it('cut every connection to Graph: graph_unreachable', async () => {
    await switchOn('graph_unreachable');
    await expect(upstream.graph('GET', '/app')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await switchOn();
    expect((await upstream.graph('GET', '/app')).status).toBe(200);
  });
});

describe('what sending does with a fault', () => {
  const post = (path: string, body: Record<string, unknown>) =>
    upstream.graph('POST', `/${phoneNumberId}${path}`, { messaging_product: 'whatsapp', ...body });
  const text = () => post('/messages', { to: '+16505551234', type: 'text', text: { body: 'Hello' } });
  const template = () =>
    post('/messages', { to: '+16505551234', type: 'template', template: { name: 'hello', language: { code: 'en' } } });
  const call = () =>
    post('/calls', { action: 'connect', to: '16505551234', session: { sdp_type: 'offer', sdp: sdpOffer } });
  const flowMessage = () =>
    post('/messages', {
      to: '+16505551234',
      type: 'interactive',
      interactive: {
        type: 'flow',
        body: { text: 'Hello' },
        action: {
          name: 'flow',
          parameters: { flow_message_version: '3', flow_id: flow, flow_cta: 'Open', flow_token: 'token' },
        },
      },
    });

  const sends = { text, template, call, flowMessage };

  it('accepts all of these in a healthy world', async () => {
    const answers = [await text(), await template(), await flowMessage(), await call()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it.each<[SetupFault, keyof typeof sends, number]>([
    ['token_invalid', 'text', 190],
    ['permission_missing', 'text', 10],
    ['permission_missing', 'call', 10],
    ['token_without_account', 'text', 100],
    ['number_not_registered', 'text', 133010],
    ['number_not_registered', 'call', 133010],
    ['account_restricted', 'text', 131031],
    ['account_review_rejected', 'template', 131031],
    ['number_restricted', 'template', 131048],
    ['calling_off', 'call', 138000],
    ['sip_on', 'call', 131055],
    ['calls_restricted', 'call', 138014],
    ['payment_missing', 'call', 131044],
    ['flow_blocked', 'flowMessage', 132068],
    ['rate_limited', 'text', 4],
  ])('with %s: rejects a %s with %i', async (fault, kind, code) => {
    await switchOn(fault);
    expect((await sends[kind]()).json.error.code).toBe(code);
  });

  it('with payment_missing: a template fails afterwards', async () => {
    await switchOn('payment_missing');
    const { id } = (await template()).json.messages[0];
    const statuses = async () =>
      (await upstream.control('GET', '/events')).json.data
        .flatMap(({ body }: { body: { entry?: never } }) => JSON.stringify(body))
        .filter((body: string) => body.includes(id));
    await expect.poll(statuses).toEqual([expect.stringContaining('131042')]);
  });

  it('with key_missing or flow_endpoint_unavailable: a Flow with an endpoint cannot be published', async () => {
    const draft = await upstream.createFlow({ flow_json: endpointFlowJson, endpoint_uri: endpoint.url });
    const titles: string[] = [];
    for (const fault of ['key_missing', 'flow_endpoint_unavailable', 'other_key'] as const) {
      await switchOn(fault);
      titles.push((await upstream.graph('POST', `/${draft}/publish`)).json.error.error_user_title);
    }
    expect(titles).toEqual(['Missing Flows Signed Public Key', 'Endpoint Not Available', 'Endpoint Not Available']);
  });
});

describe('what becomes of events with a fault', () => {
  beforeEach(() => receiver.received.splice(0));
  const send = async (...types: string[]) => {
    const events = types.map((type) => ({ type, phone_number_id: phoneNumberId }));
    return (await upstream.control('POST', '/events', { events })).json.data;
  };

  it.each<[SetupFault, string]>([
    ['app_not_subscribed', 'text'],
    ['messages_field_missing', 'text'],
    ['calls_field_missing', 'call_connect'],
    ['flows_field_missing', 'flow_status_change'],
    ['app_callback_missing', 'text'],
  ])('with %s, %s is not sent', async (fault, type) => {
    await switchOn(fault);
    expect(await send(type)).toEqual([]);
    await switchOn();
    await send(type);
    expect(receiver.received.length).toBe(1);
  });

  it.each<[SetupFault, string]>([
    ['app_callback_elsewhere', elsewhere.app],
    ['account_callback_elsewhere', elsewhere.account],
    ['number_callback_elsewhere', elsewhere.number],
  ])('with %s, they go to %s', async (fault, url) => {
    await switchOn(fault);
    expect(await send('text')).toMatchObject([{ callback_url: url, attempts: [{ status: null }] }]);
    expect(receiver.received.length).toBe(0);
  });

  it('with app_secret_wrong, another secret signs them', async () => {
    const isOurs = () => {
      const [event] = receiver.received.splice(0);
      const ours = createHmac('sha256', appSecret)
        .update(event?.body ?? '')
        .digest('hex');
      return event?.headers['x-hub-signature-256'] === `sha256=${ours}`;
    };
    await send('text');
    expect(isOurs()).toBe(true);
    await switchOn('app_secret_wrong');
    await send('text');
    expect(isOurs()).toBe(false);
  });
});

describe('an operation of Graph lifts the fault that it puts right', () => {
  const left = async () => (await upstream.control('GET', '/setup/faults')).json.faults;
  const subscribe = (fields: string) =>
    asApp('POST', `/${simulatedApp.id}/subscriptions`, {
      object: 'whatsapp_business_account',
      callback_url: receiver.url,
      fields,
      verify_token: verifyToken,
    });
  const everyField = async () =>
    (await asApp('GET', `/${simulatedApp.id}/subscriptions`)).data[0].fields.map(({ name }: { name: string }) => name);

  it.each<[SetupFault[], (fields: string) => Promise<unknown>]>([
    [['app_not_subscribed', 'account_callback_elsewhere'], () => upstream.graph('POST', `/${wabaId}/subscribed_apps`)],
    [['app_callback_missing', 'app_callback_elsewhere', 'messages_field_missing', 'flows_field_missing'], subscribe],
    [
      ['number_callback_elsewhere'],
      () => upstream.graph('POST', `/${phoneNumberId}`, { webhook_configuration: { override_callback_uri: '' } }),
    ],
    [
      ['number_not_registered'],
      () => upstream.graph('POST', `/${phoneNumberId}/register`, { messaging_product: 'whatsapp', pin: seededPin }),
    ],
    [['calling_off'], () => upstream.graph('POST', `/${phoneNumberId}/settings`, { calling: { status: 'ENABLED' } })],
    [
      ['sip_on'],
      () => upstream.graph('POST', `/${phoneNumberId}/settings`, { calling: { sip: { status: 'DISABLED' } } }),
    ],
    [['key_missing', 'key_mismatch', 'other_key'], uploadKey],
  ])('%j', async (faults, repair) => {
    const fields = String(await everyField());
    await switchOn('quality_red', ...faults);
    expect(await left()).toEqual(expect.arrayContaining(faults));
    await repair(fields);
    expect(await left()).toEqual(['quality_red']);
  });

  it('only for the fields in question', async () => {
    await switchOn('messages_field_missing', 'calls_field_missing');
    const fields = await everyField();
    await subscribe(String([...fields, 'messages']));
    expect(await left()).toEqual(['calls_field_missing']);
    await subscribe(String([...fields, 'messages', 'calls']));
    expect(await left()).toEqual([]);
  });
});
