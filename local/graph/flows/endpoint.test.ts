import { createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startSealedEndpoint } from '#support/flows/sealed-endpoint.ts';
import { forAllTests } from '#support/for-tests.ts';
import { appSecret, endpointFlowJson, startTestUpstream } from '#support/worlds/simulated-graph.ts';

type TestUpstream = Awaited<ReturnType<typeof startTestUpstream>>;

const phoneNumberId = '106540352242922';

const upstream = forAllTests(() => startTestUpstream());
const endpoint = forAllTests(() =>
  startSealedEndpoint(({ action }) =>
    action === 'ping' ? { data: { status: 'active' } } : { screen: 'WELCOME', data: {} },
  ),
);

const register = (business_public_key: string, on: TestUpstream = upstream) =>
  on.graph('POST', `/${phoneNumberId}/whatsapp_business_encryption`, new URLSearchParams({ business_public_key }));

const dynamicFlow = (endpoint_uri: string, on: TestUpstream = upstream) =>
  on.createFlow({ flow_json: endpointFlowJson, endpoint_uri });

describe('the public key of a number', () => {
  it.each([
    ['text', 'no key'],
    ['a key of another size', generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey],
    ['a key of another kind', generateKeyPairSync('ed25519').publicKey],
  ])('cannot be registered if it is %s', async (_, key) => {
    const pem = typeof key === 'string' ? key : String(key.export({ type: 'spki', format: 'pem' }));
    const { status, json } = await register(pem);
    expect([status, json.error.code]).toEqual([400, 100]);
  });

  it('the public key of a number requires a known number', async () => {
    const answer = await upstream.graph('POST', '/1/whatsapp_business_encryption', { business_public_key: 'x' });
    expect(answer.json.error).toMatchObject({ code: 100 });
  });
});

describe('a Flow with an endpoint', () => {
  it('can be published if a number has a key and the endpoint responds to a ping', async () => {
    const fresh = await startTestUpstream();
    const id = await dynamicFlow(endpoint.url, fresh);
    const publish = async () => (await fresh.graph('POST', `/${id}/publish`)).json;
    expect((await publish()).error).toMatchObject({
      code: 139002,
      error_user_title: 'Missing Flows Signed Public Key',
    });
    await register(endpoint.publicKey, fresh);
    expect(await publish()).toEqual({ success: true });
    expect(endpoint.opened).toContainEqual({ version: '3.0', action: 'ping' });
    await fresh.close();
  });

  it('cannot be published while the endpoint does not respond', async () => {
    await register(endpoint.publicKey);
    const id = await dynamicFlow('http://127.0.0.1:1/');
    const { json } = await upstream.graph('POST', `/${id}/publish`);
    expect(json.error).toMatchObject({ code: 139002, error_user_title: 'Endpoint Not Available' });
    expect(await upstream.statusOf(id)).toBe('DRAFT');
  });

  it('is called as a phone does, with a signature over the bytes', async () => {
    await register(endpoint.publicKey);
    const id = await dynamicFlow(`${endpoint.url}/asked`);
    const request = { action: 'data_exchange', screen: 'WELCOME', data: { name: 'Zoë' }, flow_token: 't' };
    const { json } = await upstream.control('POST', `/flows/${id}/exchange`, {
      ...request,
      phone_number_id: phoneNumberId,
    });
    expect(json).toEqual({ status: 200, body: endpoint.sent.at(-1), answer: { screen: 'WELCOME', data: {} } });
    expect(endpoint.opened.at(-1)).toEqual({ version: '3.0', ...request });
    const seen = endpoint.requests.find(({ url }) => url === '/asked');
    const signature = createHmac('sha256', appSecret).update(String(seen?.body)).digest('hex');
    expect(seen?.headers['x-hub-signature-256']).toBe(`sha256=${signature}`);
  });

  it('cannot be called without an endpoint, or for a number without a key', async () => {
    await register(endpoint.publicKey);
    const exchange = (id: string, body: object) => upstream.control('POST', `/flows/${id}/exchange`, body);
    const without = await upstream.createFlow();
    expect((await exchange(without, { action: 'INIT' })).status).toBe(409);
    const id = await dynamicFlow(endpoint.url);
    expect((await exchange(id, { action: 'INIT', phone_number_id: '1' })).status).toBe(409);
    expect((await exchange(id, {})).status).toBe(400);
  });

  it('reports that the endpoint does not respond', async () => {
    await register(endpoint.publicKey);
    const id = await dynamicFlow('http://127.0.0.1:1/');
    const { json } = await upstream.control('POST', `/flows/${id}/exchange`, { action: 'INIT' });
    expect(json).toEqual({ status: null, body: '', answer: null });
  });
});
