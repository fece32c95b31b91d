import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { describe, expect, onTestFinished } from 'vitest';
import { createFlow } from '#functions/flows/contracts.ts';
import { deleteWebhookTarget, updateWebhookTarget } from '#functions/webhooks/contracts.ts';
import { publicRouteKeys } from '#local/live/public-routes.ts';
import { seededNumbers, seededTokens, seededWorkspaces } from '#local/seed.ts';
import { scanItems } from '../../support/aws/scan-items.ts';
import { type FlowService, newFlow } from '../../support/flows/flow-service.ts';
import { startHttpServer } from '../../support/http/http-server.ts';
import { soon } from '../../support/worlds/delivery-world.ts';
import { it } from './shared-world.ts';

let service: FlowService;
it.beforeAll(({ service: shared }) => {
  service = shared;
});
it.afterAll(() => service.expectQuiet());

const phoneNumberId = seededNumbers[0]?.phone_number_id ?? '';
const [acme] = seededWorkspaces;
const businessAccountId = acme?.waba_id ?? '';
const token = seededTokens.owner;

/** Somebody else's client: only its address and its token are not Meta's. */
const client = (accessToken: string = token) =>
  new WhatsAppClient({ accessToken, baseUrl: `${service.baseUrl}/v2/graph` });

const get = (path: string) => fetch(`${service.baseUrl}/v2/graph${path}`);

describe('a client that was written for Meta', () => {
  it('sends a message', async () => {
    const sent = await client().messages.sendText({ phoneNumberId, to: '15550100999', body: 'Hello' });
    const { data } = await service.simulate<{ data: { id: string }[] }>('messages');
    expect(data.map(({ id }) => id)).toContain(sent.messages[0]?.id);
  });

  it('uploads a file, downloads it and deletes it', async () => {
    const file = new Blob(['%PDF-1.4 canary'], { type: 'application/pdf' });
    const { id } = await client().media.upload({ phoneNumberId, type: 'application/pdf', file, fileName: 'a.pdf' });
    const bytes = await client().media.download({ mediaId: id, auth: 'always' });
    expect(Buffer.from(bytes as ArrayBuffer).toString()).toBe('%PDF-1.4 canary');
    expect(await client().media.delete({ mediaId: id, phoneNumberId })).toEqual({ success: true });
    await expect(client().media.get({ mediaId: id })).rejects.toMatchObject({ httpStatus: 400, code: 100 });
  });

  it('creates, lists and deletes a template', async () => {
    const name = `hello_${Date.now()}`;
    const components = [{ type: 'BODY', text: 'Hello' }];
    await client().templates.create({ businessAccountId, name, language: 'en_US', category: 'UTILITY', components });
    const { data } = await client().templates.list({ businessAccountId, name });
    expect(data).toMatchObject([{ name, status: 'APPROVED', components }]);
    expect(await client().templates.delete({ businessAccountId, name })).toEqual({ success: true });
  });

  it('looks up whether a contact may be called', async () => {
    const { permission } = await client().calls.permissions.get({ phoneNumberId, userWaId: '15550100999' });
    expect(permission?.status).toBe('temporary');
  });

  it('gets the errors that it knows', async () => {
    const refused = client(`${token.slice(0, -1)}x`).messages.sendText({ phoneNumberId, to: '1', body: 'x' });
    await expect(refused).rejects.toMatchObject({ httpStatus: 401, code: 190 });
    const unknown = client(seededTokens.stranger).messages.sendText({ phoneNumberId, to: '15550100999', body: 'x' });
    await expect(unknown).rejects.toMatchObject({ httpStatus: 400, code: 100 });
  });
});

describe('a token in the query', () => {
  const templates = () => `/v14.0/${businessAccountId}/message_templates`;

  it('reads templates, as some clients do', async () => {
    const response = await get(`${templates()}?access_token=${token}`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it('stays in no log, no table, no queue, no file, and in nothing that tail and the console read', async () => {
    const body = JSON.stringify({ to: '15550100999', type: 'text', text: { body: 'Hi' } });
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'traces' };
    const send = { method: 'POST', body, headers };
    const tokens = [seededTokens.member, `${token.slice(0, -1)}x`];
    for (const each of tokens) {
      await get(`${templates()}?access_token=${each}&limit=x`);
      await get(`/debug_token?input_token=${each}&access_token=${each}`);
      await fetch(`${service.baseUrl}/v2/graph/v25.0/${phoneNumberId}/messages?access_token=${each}`, send);
    }
    const { world } = service;
    const kept = [world.logs, world.errors.map(String), await service.simulate('requests')];
    kept.push(await Array.fromAsync(scanItems(world.table, {})));
    const files = await readdir(world.dataDir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      kept.push((await readFile(join(file.parentPath, file.name))).toString('latin1'));
    }
    const text = JSON.stringify(kept);
    expect(text).toContain(phoneNumberId);
    expect(tokens.filter((each) => text.includes(each))).toEqual([]);
  });

  it('does not reach these paths through a tunnel', () => {
    expect([...publicRouteKeys].filter((key) => key.includes('/v2/graph'))).toEqual([]);
  });
});

it('a Flow of this service is found by its id on the platform', async () => {
  const { wa_id: id, name } = await service.api.succeed(createFlow, {
    params: { workspace: acme?.id ?? '' },
    body: newFlow(),
  });
  const response = await get(`/${id}?fields=name,status&access_token=${token}`);
  expect(await response.json()).toEqual({ id, name, status: 'DRAFT' });
});

it('a number, an account and its numbers are read', async () => {
  const read = async (path: string) =>
    (await get(`${path}?access_token=${token}`)).json() as Promise<{ id?: string; data?: { id: string }[] }>;
  expect(await read(`/v25.0/${phoneNumberId}`)).toMatchObject({ id: phoneNumberId });
  expect(await read(`/v25.0/${businessAccountId}`)).toMatchObject({ id: businessAccountId });
  const active = seededNumbers.filter((number) => number.active).map(({ phone_number_id }) => phone_number_id);
  const { data } = await read(`/v25.0/${businessAccountId}/phone_numbers`);
  expect(data?.map(({ id }) => id).sort()).toEqual(active);
});

it('a client registers its webhook, once its app secret is set, and gets messages that it can verify', async () => {
  const [appSecret, verify_token, body] = ['the app secret of a client', 'the token of a client', 'Olá, registered'];
  const verified: string[] = [];
  const server = await startHttpServer((_, response) => {
    const { method, url, headers, body: rawBody } = server.requests.at(-1) ?? {};
    const query = new URL(url ?? '', 'http://localhost').searchParams;
    if (method === 'GET')
      return response.end(query.get('hub.verify_token') === verify_token && query.get('hub.challenge'));
    const signatureHeader = String(headers?.['x-hub-signature-256']);
    if (url === '/moved' && verifySignature({ appSecret, rawBody: String(rawBody), signatureHeader })) {
      verified.push(String(rawBody));
    }
    return response.end();
  });
  const register = async (override_callback_uri: string) => {
    const response = await fetch(`${service.baseUrl}/v2/graph/v22.0/${businessAccountId}/subscribed_apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ override_callback_uri, verify_token }),
    });
    return (await response.json()) as { success?: true; error?: { message: string } };
  };
  const { message = '' } = (await register(`${server.url}/moved`)).error ?? {};
  const [, number = '', target = ''] = /numbers\/(.+)\/webhook\/targets\/(\S+)/.exec(message) ?? [];
  onTestFinished(async () => {
    for (const { id } of seededNumbers) {
      await service.api.call(deleteWebhookTarget, { params: { number: id, target } });
    }
    await server.close();
  });
  const settings = { format: 'meta', url: `${server.url}/first`, verify_token, app_secret: appSecret };
  await service.api.succeed(updateWebhookTarget, { params: { number, target }, body: settings });
  expect(await register(`${server.url}/moved`)).toEqual({ success: true });
  const event = { type: 'text', phone_number_id: phoneNumberId, text: { body } };
  await service.simulate('events', 'POST', { events: [event] });
  await expect
    .poll(() => verified.map((each) => JSON.parse(each).entry[0].changes[0].value.messages?.[0].text.body), soon)
    .toEqual([body]);
});
