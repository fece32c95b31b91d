import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SealedEndpoint, startSealedEndpoint } from '#support/flows/sealed-endpoint.ts';
import {
  accessToken,
  appSecret,
  endpointFlowJson,
  otherWabaId,
  phoneNumberId,
  startReceiver,
  startTestUpstream,
  verifyToken,
  wabaId,
} from '#support/worlds/simulated-graph.ts';
import { otherApp, simulatedApp } from '../core/app.ts';
import { type SetupFault, setupFaults } from '../core/setup-faults.ts';
import { sdpOffer } from '../events/samples.ts';
import { accountFields } from './account-node.ts';
import { elsewhere } from './callbacks.ts';
import { numberFields } from './number-node.ts';
import { seededPin } from './number-setup.ts';

let endpoint: SealedEndpoint;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
let flow: string;
beforeAll(async () => {
  endpoint = await startSealedEndpoint(() => ({ data: { status: 'active' } }));
  receiver = await startReceiver();
  upstream = await startTestUpstream({ callbackUrl: receiver.url, webhookRetryMs: [] });
  await uploadKey();
  flow = await upstream.createFlow({ flow_json: endpointFlowJson, endpoint_uri: endpoint.url });
  expect((await upstream.graph('POST', `/${flow}/publish`)).status).toBe(200);
});
afterAll(() => Promise.all([upstream.close(), receiver.close(), endpoint.close()]));
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

/** The members of an object under the name of its part, or the error. */
const membersOf = (part: string, json: object) =>
  Object.entries(json).map(([member, value]): [string, unknown] => [`${part} ${member}`, value]);

/** All that Graph says about the set-up, by part and member. */
async function everything(): Promise<Record<string, unknown>> {
  const get = async (path: string) => (await upstream.graph('GET', path)).json;
  const numberPath = `/${phoneNumberId}`;
  const debug = await asApp('GET', `/debug_token?input_token=${accessToken}`);
  const calling = await get(`${numberPath}/settings`);
  const { headers } = await upstream.graph('GET', '/app');
  const usage = JSON.parse(headers.get('x-business-use-case-usage') ?? '')[wabaId][0];
  return Object.fromEntries([
    ...membersOf('token', debug.data ?? debug),
    ...membersOf('app', await get('/app')),
    ...membersOf('subscriptions', await asApp('GET', `/${simulatedApp.id}/subscriptions`)),
    ...membersOf('subscribed', await get(`/${wabaId}/subscribed_apps`)),
    ...membersOf('account', await get(`/${wabaId}?fields=${Object.keys(accountFields)}`)),
    ...membersOf('number', await get(`${numberPath}?fields=${Object.keys(numberFields)}`)),
    ...membersOf('settings', calling.calling ?? calling),
    ...membersOf('key', await get(`${numberPath}/whatsapp_business_encryption`)),
    ...membersOf('flow', await get(`/${flow}?fields=status,json_version,health_status`)),
    ...membersOf('header', {
      calls: usage.call_count,
      minutes: Math.round((Date.parse(headers.get('date') ?? '') - Date.now()) / 60_000),
    }),
  ]);
}

/** What Graph says otherwise than without faults. What it does not say any more is undefined. */
async function changes(...faults: SetupFault[]): Promise<Record<string, unknown>> {
  const healthy = await everything();
  await switchOn(...faults);
  const now = await everything();
  const names = Object.keys({ ...healthy, ...now });
  const changed = names.filter((name) => JSON.stringify(healthy[name]) !== JSON.stringify(now[name]));
  return Object.fromEntries(changed.map((name) => [name, now[name]]));
}

const health = (entity_type: string, can_send_message: string, details: Record<string, unknown> = {}) => {
  const entity = expect.objectContaining({ entity_type, can_send_message, ...details });
  return expect.objectContaining({ entities: expect.arrayContaining([entity]) });
};
const withError = (error_code: number) => ({
  errors: expect.arrayContaining([expect.objectContaining({ error_code })]),
});
const error = (code: number) => expect.objectContaining({ code });

const ofAccountHealth = (type: string, availability: string, code: number) => ({
  'account health_status': health(type, availability, withError(code)),
  'number health_status': health(type, availability, withError(code)),
});
const subscriptionWith = (members: Record<string, unknown>) => ({
  'subscriptions data': [expect.objectContaining(members)],
});
const withoutField = (name: string) =>
  subscriptionWith({ fields: expect.not.arrayContaining([expect.objectContaining({ name })]) });
const lacksPermission = (left: string) => ({
  'token scopes': [left],
  'token granular_scopes': [expect.objectContaining({ scope: left })],
});

/** All parts that a system user's token reads. */
const errorsInstead = async (parts: readonly string[], code: number) => {
  const healthy = await everything();
  const gone = Object.keys(healthy).filter((name) => parts.includes(name.split(' ')[0] ?? ''));
  return {
    ...Object.fromEntries(gone.map((name) => [name, undefined])),
    ...Object.fromEntries(parts.map((part) => [`${part} error`, error(code)])),
  };
};
const readWithToken = ['app', 'subscribed', 'account', 'number', 'settings', 'key', 'flow'];

/** What each fault changes, and nothing else. */
const table: Partial<Record<SetupFault, () => Record<string, unknown> | Promise<Record<string, unknown>>>> = {
  token_invalid: async () => ({
    ...(await errorsInstead(readWithToken, 190)),
    'token is_valid': false,
    'token error': expect.objectContaining({ code: 190, subcode: 460 }),
  }),
  token_expired: async () => ({
    ...(await errorsInstead(readWithToken, 190)),
    'token is_valid': false,
    'token expires_at': expect.toSatisfy((at: number) => at > 0 && at < Date.now() / 1000),
    'token error': expect.objectContaining({ code: 190, subcode: 463 }),
  }),
  token_expires_soon: () => ({
    'token expires_at': expect.toSatisfy((at: number) => at > Date.now() / 1000 && at < Date.now() / 1000 + 7 * 86_400),
  }),
  permission_missing: async () => ({
    ...(await errorsInstead(['key'], 10)),
    ...lacksPermission('whatsapp_business_management'),
  }),
  management_permission_missing: async () => ({
    ...(await errorsInstead(['subscribed', 'account', 'number', 'settings', 'flow'], 200)),
    ...lacksPermission('whatsapp_business_messaging'),
  }),
  token_of_other_app: async () => ({
    ...(await errorsInstead(['token'], 100)),
    'app id': otherApp.id,
    'app name': otherApp.name,
  }),
  token_without_account: async () => ({
    ...(await errorsInstead(['subscribed', 'account', 'number', 'settings', 'key'], 100)),
    'token granular_scopes': expect.not.arrayContaining([
      expect.objectContaining({ target_ids: expect.arrayContaining([wabaId]) }),
    ]),
  }),
  app_secret_wrong: () => errorsInstead(['token', 'subscriptions'], 190),
  app_not_subscribed: () => ({ 'subscribed data': [] }),
  messages_field_missing: () => withoutField('messages'),
  calls_field_missing: () => withoutField('calls'),
  flows_field_missing: () => withoutField('flows'),
  app_callback_missing: () => ({ 'subscriptions data': [], 'number webhook_configuration': {} }),
  app_callback_elsewhere: () => ({
    ...subscriptionWith({ callback_url: elsewhere.app }),
    'number webhook_configuration': { application: elsewhere.app },
  }),
  account_callback_elsewhere: () => ({
    'subscribed data': [expect.objectContaining({ override_callback_uri: elsewhere.account })],
    'number webhook_configuration': { whatsapp_business_account: elsewhere.account, application: receiver.url },
  }),
  number_callback_elsewhere: () => ({
    'number webhook_configuration': { phone_number: elsewhere.number, application: receiver.url },
  }),
  number_not_registered: () => ({
    'number status': 'DISCONNECTED',
    'number platform_type': 'NOT_APPLICABLE',
    'number throughput': { level: 'NOT_APPLICABLE' },
    'number health_status': health('PHONE_NUMBER', 'BLOCKED', withError(141000)),
  }),
  number_not_verified: () => ({ 'number code_verification_status': 'NOT_VERIFIED' }),
  number_restricted: () => ({
    'number status': 'RESTRICTED',
    'number health_status': health('PHONE_NUMBER', 'LIMITED', { additional_info: [expect.any(String)] }),
  }),
  number_flagged: () => ({ 'number status': 'FLAGGED' }),
  quality_red: () => ({ 'number quality_rating': 'RED', 'number quality_score': { score: 'RED' } }),
  quality_yellow: () => ({ 'number quality_rating': 'YELLOW', 'number quality_score': { score: 'YELLOW' } }),
  limit_nearly_reached: () => ({ 'header calls': 92 }),
  display_name_declined: () => ({
    'number name_status': 'DECLINED',
    'number health_status': health('PHONE_NUMBER', 'LIMITED', { additional_info: [expect.any(String)] }),
  }),
  account_review_rejected: () => ({
    'account account_review_status': 'REJECTED',
    ...ofAccountHealth('WABA', 'BLOCKED', 131031),
  }),
  business_not_verified: () => ({
    'account business_verification_status': 'not_verified',
    ...ofAccountHealth('BUSINESS', 'LIMITED', 141010),
  }),
  payment_missing: () => ({
    'account primary_funding_id': undefined,
    ...ofAccountHealth('WABA', 'BLOCKED', 141006),
  }),
  account_restricted: () => ({
    'account status': 'RESTRICTED',
    ...ofAccountHealth('WABA', 'BLOCKED', 131031),
  }),
  calling_off: () => ({ 'settings status': 'DISABLED' }),
  sip_on: () => ({
    'settings sip': expect.objectContaining({ status: 'ENABLED' }),
    'number health_status': expect.objectContaining({ can_send_message: 'AVAILABLE' }),
  }),
  calls_restricted: () => ({
    'settings restrictions': {
      restrictions_list: [expect.objectContaining({ type: 'RESTRICTED_BUSINESS_INITIATED_CALLING' })],
    },
  }),
  key_missing: () => ({ 'key data': [] }),
  key_mismatch: () => ({
    'key data': [{ business_public_key: endpoint.publicKey, business_public_key_signature_status: 'MISMATCH' }],
  }),
  other_key: () => ({
    'key data': [
      {
        business_public_key: expect.toSatisfy((key: string) => key !== endpoint.publicKey && /BEGIN PUBLIC/.test(key)),
        business_public_key_signature_status: 'VALID',
      },
    ],
  }),
  flow_endpoint_unavailable: () => ({ 'flow health_status': health('FLOW', 'BLOCKED', withError(131000)) }),
  flow_endpoint_slow: () => ({
    'flow health_status': health('FLOW', 'LIMITED', { additional_info: [expect.stringContaining('ms')] }),
  }),
  flow_throttled: () => ({ 'flow status': 'THROTTLED', 'flow health_status': health('FLOW', 'LIMITED') }),
  flow_blocked: () => ({ 'flow status': 'BLOCKED', 'flow health_status': health('FLOW', 'BLOCKED') }),
  flow_version_expired: () => ({
    'flow json_version': '2.1',
    'flow health_status': health('FLOW', 'BLOCKED', withError(131000)),
  }),
  clock_off: () => ({ 'header minutes': 10 }),
  rate_limited: async () => ({
    ...(await errorsInstead(['token', 'subscriptions', ...readWithToken], 4)),
    'header calls': 100,
  }),
};

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

  it('are listed with what each of them concerns and means, also while some are on', async () => {
    await switchOn('quality_red', 'graph_unreachable');
    const { available } = (await upstream.control('GET', '/setup/faults')).json;
    expect(available.map(({ name }: { name: string }) => name)).toEqual(setupFaults);
    expect(available).toContainEqual({
      name: 'quality_red',
      group: 'Numbers',
      description: 'The quality of the numbers is low.',
    });
  });

  it.each(setupFaults.filter((fault) => fault !== 'graph_unreachable'))(
    'change what Graph says about them, and nothing else: %s',
    async (fault) => {
      const expected = await table[fault]?.();
      expect(await changes(fault)).toEqual(expected);
    },
  );

  it('cut every connection to Graph: graph_unreachable', async () => {
    await switchOn('graph_unreachable');
    await expect(upstream.graph('GET', '/app')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await switchOn();
    expect((await upstream.graph('GET', '/app')).status).toBe(200);
  });

  it('are all seen in pairs', async () => {
    expect(await changes('quality_red', 'calling_off')).toEqual({
      ...(await table.quality_red?.()),
      ...(await table.calling_off?.()),
    });
  });

  it('also concern accounts without numbers', async () => {
    await switchOn('app_not_subscribed', 'account_restricted');
    expect((await upstream.graph('GET', `/${otherWabaId}/subscribed_apps`)).json.data).toEqual([]);
    expect((await upstream.graph('GET', `/${otherWabaId}?fields=status`)).json.status).toBe('RESTRICTED');
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

  it('with management_permission_missing, number_restricted, number_flagged and payment_missing: accepts an answer', async () => {
    await switchOn('management_permission_missing', 'number_restricted', 'payment_missing', 'number_flagged');
    expect((await text()).status).toBe(200);
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

  it('with flow_throttled: the Flow can be sent ten times in an hour', async () => {
    await switchOn('flow_throttled');
    const codes = [];
    for (let i = 0; i < 11; i += 1) codes.push((await flowMessage()).json.error?.code);
    expect(codes).toEqual([...Array(10).fill(undefined), 132069]);
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
  ])('with %s, %s is not sent', async (fault, type) => {
    await switchOn(fault);
    expect(await send(type)).toEqual([]);
    await switchOn();
    await send(type);
    expect(receiver.received.length).toBe(1);
  });

  it('without a callback, nothing can be sent', async () => {
    await switchOn('app_callback_missing');
    expect((await upstream.control('POST', '/events', { events: [{ type: 'text' }] })).status).toBe(409);
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
    const healthy = await everything();
    await switchOn('quality_red', ...faults);
    expect(await left()).toEqual(expect.arrayContaining(faults));
    await repair(fields);
    expect(await left()).toEqual(['quality_red']);
    await switchOn();
    expect(await everything()).toEqual(healthy);
  });

  it('only for the fields in question', async () => {
    await switchOn('messages_field_missing', 'calls_field_missing');
    const fields = await everyField();
    await subscribe(String([...fields, 'messages']));
    expect(await left()).toEqual(['calls_field_missing']);
    await subscribe(String([...fields, 'messages', 'calls']));
    expect(await left()).toEqual([]);
  });

  it('but not a registration that fails, because the number is not verified', async () => {
    await switchOn('number_not_registered', 'number_not_verified');
    const body = { messaging_product: 'whatsapp', pin: seededPin };
    expect((await upstream.graph('POST', `/${phoneNumberId}/register`, body)).json.error.code).toBe(133006);
    expect(await left()).toEqual(['number_not_registered', 'number_not_verified']);
  });
});
