import { beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '#support/for-tests.ts';
import { startHttpServer } from '#support/http/http-server.ts';
import { openManagement } from './management.ts';

/** What the server responds with to each request line; to all others as Graph does to unknown objects. */
let responses: Record<string, unknown>;
let headers: Record<string, string>;

const server = forAllTests(() =>
  startHttpServer(({ method, url = '' }, response) => {
    const found = responses[`${method} ${url}`] ?? responses[`${method} ${url.split('?')[0]}`];
    const missing = { error: { message: 'Object does not exist', code: 100, error_subcode: 33 } };
    const body = (typeof found === 'function' ? found(url) : found) ?? missing;
    response.writeHead('error' in body && !('data' in body) ? 400 : 200, {
      'content-type': 'application/json',
      ...headers,
    });
    response.end(JSON.stringify(body));
  }),
);
beforeEach(() => {
  responses = {};
  headers = {};
  server.requests.length = 0;
});

const app = { id: '500', secret: 'shh' };
const callback = { url: 'https://example.com/v2/messaging/events', verifyToken: 'verify' };
const management = () =>
  openManagement({ baseUrl: server.url, graphVersion: 'v25.0', accessToken: async () => 'EAAtoken', now: Date.now });

/** The request that the server got, as a line with the token and the parsed body. */
function seen(index = 0) {
  const { method, url, headers, body } = server.requests[index] ?? {};
  return { line: `${method} ${url}`, as: headers?.authorization, body: body ? JSON.parse(body) : undefined };
}

describe('reading', () => {
  it('shows a token to itself', async () => {
    const data = { app_id: '500', is_valid: true, expires_at: 0, scopes: ['whatsapp_business_messaging'] };
    responses['GET /v25.0/debug_token?input_token=EAAtoken'] = { data };
    expect(await management().tokenInfo()).toMatchObject(data);
    expect(seen().as).toBe('Bearer EAAtoken');
  });

  it('shows why a token is invalid', async () => {
    const error = { code: 190, subcode: 463, message: 'Session has expired' };
    responses['GET /v25.0/debug_token'] = { data: { is_valid: false, error, scopes: [] } };
    expect(await management().tokenInfo()).toMatchObject({ is_valid: false, error });
  });

  it('asks for every member of a number that it knows, and takes what is there', async () => {
    responses['GET /v25.0/106'] = { id: '106', status: 'CONNECTED', is_pin_enabled: 'surprise' };
    const number = await management().phoneNumber('106');
    expect([number.status, number.is_pin_enabled]).toEqual(['CONNECTED', undefined]);
    expect(seen().line).toMatch(/fields=id%2Cverified_name%2C.*health_status%2Cwebhook_configuration$/);
  });

  it('leaves out a field that this version of Graph does not have, and keeps the others', async () => {
    const message =
      '(#100) Tried accessing nonexisting field (quality_rating) on node type (WhatsAppBusinessPhoneNumber)';
    responses['GET /v25.0/106'] = (url: string) =>
      url.includes('quality_rating') ? { error: { message, code: 100 } } : { id: '106', status: 'CONNECTED' };
    expect(await management().phoneNumber('106')).toMatchObject({ status: 'CONNECTED' });
    expect(server.requests).toHaveLength(2);
  });

  it('shows the highest share of the limits of calls, also when the platform rejects the request', async () => {
    headers = {
      'x-app-usage': '{"call_count":28,"total_time":25,"total_cputime":25}',
      'x-business-use-case-usage': '{"102":[{"type":"whatsapp","call_count":92,"total_cputime":1,"total_time":1}]}',
    };
    expect(await management().usage('102')).toBe(92);
    headers = {};
    expect(await management().usage('102')).toBeUndefined();
  });

  it('treats a member of an unexpected type as absent, and keeps the others', async () => {
    responses['GET /v25.0/106'] = { id: '106', quality_rating: null, status: 7, platform_type: 'CLOUD_API' };
    const { quality_rating, status, platform_type } = await management().phoneNumber('106');
    expect({ quality_rating, status, platform_type }).toEqual({
      quality_rating: undefined,
      status: undefined,
      platform_type: 'CLOUD_API',
    });
  });

  it('keeps what health says about each entity', async () => {
    const health_status = {
      can_send_message: 'BLOCKED',
      entities: [
        {
          entity_type: 'WABA',
          can_send_message: 'BLOCKED',
          errors: [{ error_code: 141006, error_description: 'No payment method', possible_solution: 'Add one' }],
        },
        { entity_type: 'APP', can_send_message: 'LIMITED', additional_info: ['Your app is in dev mode'] },
      ],
    };
    responses['GET /v25.0/102'] = { id: '102', health_status };
    expect((await management().businessAccount('102')).health_status).toMatchObject(health_status);
  });

  it('reads the names of fields with and without versions', async () => {
    const subscription = { object: 'whatsapp_business_account', callback_url: callback.url, active: true };
    responses['GET /v25.0/500/subscriptions'] = {
      data: [{ ...subscription, fields: [{ name: 'messages', version: 'v25.0' }, 'calls'] }],
    };
    expect(await management().subscription(app)).toEqual({ ...subscription, fields: ['messages', 'calls'] });
    expect(seen().as).toBe('Bearer 500|shh');
  });

  it('reads all pages of a list', async () => {
    const number = (id: string) => ({ id, display_phone_number: '+1 555' });
    responses['GET /v25.0/102/phone_numbers'] = {
      data: [number('1')],
      paging: { next: 'https://graph.facebook.com/…', cursors: { after: 'x' } },
    };
    const first = await management()
      .phoneNumbers('102')
      .catch(() => []);
    // The same page comes for ever here, so the number of pages has a limit.
    expect(first).toHaveLength(20);
    expect(seen(1).line).toBe('GET /v25.0/102/phone_numbers?limit=100&fields=id%2Cdisplay_phone_number&after=x');
  });

  it('reads which apps get the events of an account', async () => {
    const callback = 'https://elsewhere.example';
    responses['GET /v25.0/102/subscribed_apps'] = {
      data: [
        { whatsapp_business_api_data: { id: '500', name: 'Ours', link: 'https://…' } },
        { whatsapp_business_api_data: { id: '600', name: 'Theirs' }, override_callback_uri: callback },
      ],
    };
    expect(await management().subscribedApps('102')).toEqual([{ id: '500' }, { id: '600', callback }]);
  });

  it('compares the clock with the platform, also when the platform rejects the request', async () => {
    expect(Math.abs((await management().clockOffset()) ?? Number.NaN)).toBeLessThan(30_000);
    expect(seen()).toMatchObject({ line: 'GET /v25.0/app', as: undefined });
  });
});

describe('changing', () => {
  const done = { success: true };

  it('sets callback and fields of the app with the credentials of the app', async () => {
    responses['POST /v25.0/500/subscriptions'] = { success: 'true' };
    await management().subscribeApp(app, callback, ['messages', 'calls']);
    expect(seen()).toEqual({
      line: 'POST /v25.0/500/subscriptions',
      as: 'Bearer 500|shh',
      body: {
        object: 'whatsapp_business_account',
        callback_url: callback.url,
        verify_token: 'verify',
        fields: 'messages,calls',
        include_values: true,
      },
    });
  });

  it('subscribes the app to the account, with and without a callback of its own', async () => {
    responses['POST /v25.0/102/subscribed_apps'] = done;
    await management().subscribeAccount('102');
    await management().subscribeAccount('102', callback);
    expect([seen(0).body, seen(1).body]).toEqual([
      undefined,
      { override_callback_uri: callback.url, verify_token: 'verify' },
    ]);
  });

  it('sets and removes the callback of a number', async () => {
    responses['POST /v25.0/106'] = done;
    await management().setNumberCallback('106', callback);
    await management().setNumberCallback('106', undefined);
    expect([seen(0).body, seen(1).body]).toEqual([
      { webhook_configuration: { override_callback_uri: callback.url, verify_token: 'verify' } },
      { webhook_configuration: { override_callback_uri: '' } },
    ]);
  });

  it('registers a number once, even if the platform fails', async () => {
    const wrongPin = management().register('106', '000000');
    await expect(wrongPin).rejects.toMatchObject({ failure: 'rejected', code: 100 });
    expect(server.requests).toHaveLength(1);
    expect(seen()).toMatchObject({
      line: 'POST /v25.0/106/register',
      body: { messaging_product: 'whatsapp', pin: '000000' },
    });
  });

  it.each([false, 'false'])('fails if the platform reports %j as its success', async (success) => {
    responses['POST /v25.0/102/subscribed_apps'] = { success };
    await expect(management().subscribeAccount('102')).rejects.toThrow('did not accept');
  });
});
