import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFlowExchanges } from '#functions/flow-endpoint/contracts.ts';
import { publishFlow, updateFlowJson } from '#functions/flows/contracts.ts';
import { createPreview } from '#functions/previews/contracts.ts';
import { rotateWebhookSecret } from '#functions/webhooks/contracts.ts';
import type { EndpointResponse } from '#local/graph/flows/endpoints.ts';
import { seededCredentials, seededNumbers, seededWorkspaces } from '#local/seed.ts';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { newId } from '#shared/base/ids.ts';
import { type FlowKey, flowKeyStore } from '#shared/flow-endpoint/flow-key-store.ts';
import { publicKeyOf, rotateKeys } from '#shared/flow-endpoint/flow-keys.ts';
import { dynamicFlowJson } from '#support/flows/dynamic-flow.ts';
import { forAllTests } from '#support/for-tests.ts';
import { phoneRequest } from '../../support/flows/flow-phone.ts';
import { canary, type FlowObject, startFlowService } from '../../support/flows/flow-service.ts';
import { type SealedEndpoint, startSealedEndpoint } from '../../support/flows/sealed-endpoint.ts';
import { type Reaction, startReceiver } from '../../support/http/receiver.ts';

const [acme] = seededWorkspaces;
const [number, otherNumber] = seededNumbers;
const workspace = String(acme?.id);

const service = forAllTests(() => startFlowService());
const endpoint = forAllTests(() => startReceiver());

interface DynamicFlow extends FlowObject {
  /** The customer's server. */
  path: string;
}

/** A draft that talks to the customer's endpoint, each at a path of its own. */
async function dynamicDraft(overrides: Record<string, unknown> = {}): Promise<DynamicFlow> {
  const path = `/${newId()}`;
  const metadata = { endpoint_url: endpoint.url + path, endpoint_encrypted: false, ...overrides };
  const { id: flow } = await service.draft(workspace, metadata);
  const updated = await service.api.succeed(updateFlowJson, {
    params: { workspace, flow },
    body: { json: dynamicFlowJson },
  });
  expect(updated.validation_errors).toEqual([]);
  return { ...updated, path };
}

const json = (body: unknown, status = 200): Reaction => ({ status, body: JSON.stringify(body) });

const active = json({ data: { status: 'active' } });

const publish = (flow: string) => service.api.call(publishFlow, { params: { workspace, flow } });

/** The response that the phone gets through the simulated upstream. */
const exchange = (flow: FlowObject, request: object) =>
  service.simulate<EndpointResponse>(`flows/${flow.wa_id}/exchange`, 'POST', request);

const exchangesOf = async ({ id: flow }: FlowObject) =>
  (await service.api.succeed(listFlowExchanges, { params: { workspace, flow } })).data;

const registeredKey = async (phoneNumberId = number?.phone_number_id) => {
  const response = await fetch(`${service.upstreamUrl}/v25.0/${phoneNumberId}/whatsapp_business_encryption`, {
    headers: { authorization: `Bearer ${seededCredentials.access_token}` },
  });
  return ((await response.json()) as { data: { business_public_key: string }[] }).data[0]?.business_public_key;
};

const setPublicKey = (business_public_key: string, phoneNumberId = number?.phone_number_id) =>
  fetch(`${service.upstreamUrl}/v25.0/${phoneNumberId}/whatsapp_business_encryption`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seededCredentials.access_token}` },
    body: new URLSearchParams({ business_public_key }),
  });

const sign = (body: string, secret: string = seededCredentials.app_secret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

async function post(flow: string, body: string, signature: string | null = sign(body)) {
  const response = await fetch(`${service.baseUrl}/v2/flows/${flow}/endpoint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature && { 'x-hub-signature-256': signature }) },
    body,
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/** The signing secrets of the active numbers. */
let secrets: string[];

beforeAll(async () => {
  // The first publication makes the key of the workspace and registers it.
  const flow = await dynamicDraft();
  endpoint.script(flow.path, [active]);
  expect((await publish(flow.id)).status).toBe(200);
  const rotate = (id = '') => service.api.succeed(rotateWebhookSecret, { params: { number: id } });
  const rotations = await Promise.all([rotate(number?.id), rotate(otherNumber?.id)]);
  secrets = rotations.map(({ secret }) => secret);
});

describe('publishing', () => {
  it('registers the key of the workspace for its active numbers once', async () => {
    const [key, ...others] = await Promise.all([registeredKey(), registeredKey(otherNumber?.phone_number_id)]);
    expect(key).toContain('BEGIN PUBLIC KEY');
    expect(others).toEqual([key]);
    const flow = await dynamicDraft();
    endpoint.script(flow.path, [active]);
    const before = (await service.upstreamRequests()).filter(({ operation }) => operation === 'set_public_key').length;
    expect((await publish(flow.id)).status).toBe(200);
    const after = (await service.upstreamRequests()).filter(({ operation }) => operation === 'set_public_key').length;
    expect([before, after]).toEqual([2, 2]);
  });

  it("pings the draft's endpoint through ours, and is rejected if the endpoint is dead", async () => {
    const flow = await dynamicDraft();
    endpoint.script(flow.path, [{ status: 500 }]);
    const { status, message } = await publish(flow.id);
    expect([status, message]).toEqual([
      400,
      'The endpoint of the Flow did not pass the health check. The endpoint returned 500 instead of 200.',
    ]);
    expect(endpoint.received(flow.path).map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { version: '3.0', action: 'ping' },
    ]);
    expect(await exchangesOf(flow)).toEqual([
      expect.objectContaining({ action: 'ping', outcome: 'failed', fault: 'status', status: 500 }),
    ]);
  });
});

describe('an endpoint that receives clear text', () => {
  let flow: DynamicFlow;
  beforeAll(async () => {
    flow = await dynamicDraft();
  });

  const nextScreen = { screen: 'DATE', data: { slots: 'nine' } };
  const end = { screen: 'SUCCESS', data: { extension_message_response: { params: { flow_token: 't' } } } };

  it.each([
    ['a ping', { action: 'ping' }, { data: { status: 'active' } }],
    ['the opening', { action: 'INIT', flow_token: 't' }, nextScreen],
    ['a submission', { action: 'data_exchange', screen: 'DATE', data: { day: canary }, flow_token: 't' }, end],
    ['the way back', { action: 'BACK', screen: 'DATE', flow_token: 't' }, nextScreen],
    [
      'an error notice',
      { action: 'data_exchange', screen: 'DATE', data: { error: 'timeout_error', error_message: canary } },
      { data: { acknowledged: true } },
    ],
  ])('receives the request and responds: %s', async (_, request, answer) => {
    endpoint.script(flow.path, [json(answer)]);
    const { status, answer: seen } = await exchange(flow, request);
    expect([status, seen]).toEqual([200, answer]);
    expect(JSON.parse(String(endpoint.received(flow.path).at(-1)?.body))).toEqual({ version: '3.0', ...request });
  });

  it('receives the bytes of the phone, signed with the secret of any active number', async () => {
    const text = '{ "version": "3.0", "action":"INIT", "data":{"name":"Zo\\u00eb ç"} }';
    endpoint.script(flow.path, [json(nextScreen)]);
    // A rotated secret signs from then on.
    const { secret } = await service.api.succeed(rotateWebhookSecret, { params: { number: String(number?.id) } });
    const phone = await phoneRequest(text, String(await registeredKey()));
    await post(flow.id, JSON.stringify(phone.envelope));
    const received = endpoint.received(flow.path).at(-1);
    expect(received?.body.toString()).toBe(text);
    const headers = received?.headers as Record<string, string>;
    for (const one of [...secrets, secret]) new Webhook(one).verify(text, headers);
    expect(headers['webhook-id']?.startsWith(`${flow.id}_`)).toBe(true);
  });
});

describe('a preview of a dynamic Flow', () => {
  /** Sends a request as the preview's page does after its form got the secret. */
  async function askInPreview(flow: string) {
    const body = { number: String(number?.id), valid_until: 1 };
    const { id, url, secret } = await service.api.succeed(createPreview, { params: { workspace, flow }, body });
    const form = new URLSearchParams({ secret });
    const unlocked = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
    const headers = {
      'content-type': 'application/json',
      'accept-language': 'pt-BR',
      cookie: String(unlocked.headers.get('set-cookie')?.split(';')[0]),
    };
    const asked = { method: 'POST', headers, body: JSON.stringify({ action: 'INIT', data: {} }) };
    const answer = (await (await fetch(`${url}/exchange`, asked)).json()) as Record<string, unknown>;
    return { id, answer };
  }

  it('sends clear text as for a phone, and its owner finds the exchange marked as one of a preview', async () => {
    const flow = await dynamicDraft();
    endpoint.script(flow.path, [json({ screen: 'DATE', data: { slots: [canary] } })]);
    const { id, answer } = await askInPreview(flow.id);
    expect(answer).toEqual({
      status: 200,
      answer: { screen: 'DATE', data: { slots: [canary] } },
      problems: [expect.stringContaining('data.slots não tem o tipo')],
    });
    const [received] = endpoint.received(flow.path);
    expect(JSON.parse(String(received?.body))).toEqual({
      version: '3.0',
      action: 'INIT',
      data: {},
      flow_token: `preview-${id}`,
    });
    expect(received?.headers).toHaveProperty('webhook-signature');
    expect(await exchangesOf(flow)).toEqual([
      expect.objectContaining({ preview: id, action: 'INIT', outcome: 'answered', fault: 'wrong-type' }),
    ]);
  });

  it('sends encrypted requests if only the owner can decrypt', async () => {
    const sealed = await startSealedEndpoint(() => ({ screen: 'DATE', data: { slots: 'nine' } }));
    const ours = String(await registeredKey());
    await setPublicKey(sealed.publicKey);
    const flow = await dynamicDraft({ endpoint_url: sealed.url, endpoint_encrypted: true });
    const { id, answer } = await askInPreview(flow.id);
    await setPublicKey(ours);
    await sealed.close();
    expect(answer).toEqual({ status: 200, answer: { screen: 'DATE', data: { slots: 'nine' } }, problems: [] });
    expect(sealed.opened).toEqual([expect.objectContaining({ action: 'INIT', flow_token: `preview-${id}` })]);
    expect(await exchangesOf(flow)).toEqual([
      expect.objectContaining({ preview: id, action: 'INIT', answered_screen: 'DATE', fault: null, findings: [] }),
    ]);
  });
});

describe('after a rotation of the Flow key', () => {
  it('requests of phones with the previous key and with the new key can be decrypted', async () => {
    const { administrator: credentials, description } = service.world;
    const { upstream_secret: secretId, secrets_manager } = description.aws;
    const client = secretsManager({ endpoint: secrets_manager, region: 'us-east-1', credentials });
    const flowKeys = flowKeyStore(secretId, client);
    const before = await flowKeys.read(workspace);
    const [newest, previous] = await rotateKeys(workspace, { flowKeys, now: Date.now });
    const flow = await dynamicDraft();
    endpoint.script(flow.path, [active]);
    const ask = async (key: FlowKey | undefined) => {
      const phone = await phoneRequest({ version: '3.0', action: 'ping' }, key ? publicKeyOf(key) : '');
      return (await post(flow.id, JSON.stringify(phone.envelope))).status;
    };
    // A function that has read the keys this very second does not read them again.
    await expect.poll(() => ask(newest)).toBe(200);
    expect(await ask(previous)).toBe(200);
    // Back to the registered key, for the tests that follow.
    await flowKeys.replace(workspace, await flowKeys.read(workspace), before.keys);
    client.destroy();
  });
});

describe('an endpoint that holds the key itself', () => {
  const inactive = seededNumbers[2]?.phone_number_id;
  let sealed: SealedEndpoint;
  let flow: FlowObject;

  beforeAll(async () => {
    sealed = await startSealedEndpoint(({ action }) =>
      action === 'ping' ? { data: { status: 'active' } } : { screen: 'DATE', data: { slots: canary } },
    );
    await setPublicKey(sealed.publicKey, inactive);
    flow = await dynamicDraft({ endpoint_url: sealed.url, endpoint_encrypted: true });
  });
  afterAll(() => sealed.close());

  it('receives the envelope unchanged, and the phone receives the response unchanged', async () => {
    const { envelope } = await phoneRequest({ version: '3.0', action: 'INIT', x: 'ç' }, sealed.publicKey);
    const body = JSON.stringify(envelope, null, 3);
    const { status, text } = await post(flow.id, body);
    expect([status, text]).toEqual([200, sealed.sent.at(-1)]);
    const received = sealed.requests.at(-1);
    expect(received?.body).toBe(body);
    expect(received?.headers).toMatchObject({ 'content-type': 'application/json' });
    // The app secret is the deployment's: what it signs could be sent to the Flows of others.
    expect(received?.headers).not.toHaveProperty('x-hub-signature-256');
    for (const secret of secrets) new Webhook(secret).verify(body, received?.headers as Record<string, string>);
  });
});
