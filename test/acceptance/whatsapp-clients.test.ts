import { Client, MessageType } from '@great-detail/whatsapp';
import { verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { describe, expect, onTestFinished } from 'vitest';
import { deleteWebhookTarget, updateWebhookTarget } from '#functions/webhooks/contracts.ts';
import { seededNumbers, seededTokens, seededWorkspaces } from '#local/seed.ts';
import type { FlowService } from '../../support/flows/flow-service.ts';
import { type SeenRequest, startHttpServer } from '../../support/http/http-server.ts';
import { soon } from '../../support/worlds/delivery-world.ts';
import { it } from './shared-world.ts';

let service: FlowService;
it.beforeAll(({ service: shared }) => {
  service = shared;
});
it.afterAll(() => service.expectQuiet());

const [number] = seededNumbers;
const phoneNumberID = number?.phone_number_id ?? '';
const wabaId = seededWorkspaces[0]?.waba_id ?? '';
const authorization = `Bearer ${seededTokens.owner}`;

/** Somebody else's client: only its address and its token are not Meta's. */
const client = (headers = { Authorization: authorization }) =>
  new Client({ baseUrl: `${service.baseUrl}/v2/graph`, request: { headers } });

describe('@great-detail/whatsapp', () => {
  it('sends a message', async () => {
    const message = { phoneNumberID, to: '15550100999', type: MessageType.Text, text: { body: 'Hello' } } as const;
    const { messages } = await client().message.createMessage(message).json();
    const { data } = await service.simulate<{ data: { id: string }[] }>('messages');
    expect(data.map(({ id }) => id)).toContain(messages[0]?.id);
  });

  it('uploads a file, downloads it if it is told the host, and deletes it', async () => {
    const file = new Blob(['%PDF-1.4 canary'], { type: 'application/pdf' });
    const upload = { phoneNumberID, mimeType: 'application/pdf', file, filename: 'a.pdf' };
    const { id: mediaID } = await client().media.upload(upload).json();
    const { url: mediaURL } = await client().media.getURL({ mediaID, phoneNumberID }).json();
    // By default, it sends the host of Meta's files and no token.
    const headers = { Authorization: authorization, Host: new URL(mediaURL).host };
    const bytes = await client().media.download({ mediaURL, request: { headers } }).arrayBuffer();
    expect(Buffer.from(bytes).toString()).toBe('%PDF-1.4 canary');
    expect(await client().media.delete({ mediaID, phoneNumberID }).json()).toEqual({ success: true });
  });

  it('creates and lists a template', async () => {
    const name = `greeting_${Date.now()}`;
    const template = { name, language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hello' }] };
    await client().template.create(wabaId, template as Parameters<Client['template']['create']>[1]);
    const { data } = await client().template.list(wabaId, { name_or_content: name }).json();
    expect(data).toMatchObject([{ name, status: 'APPROVED' }]);
  });
});

const appSecret = 'app-secret-of-the-target';
const verifyToken = 'verify-me';
const text = "Olá, 世界 👋 <a href='/x?y=1&z=2'>";

const hook = ({ method = '', url, headers, body }: SeenRequest) => {
  const query = Object.fromEntries(new URL(url ?? '', 'http://localhost').searchParams);
  return { method, query, body, headers: headers as Record<string, string> };
};

/** What others check of a request before they take it. */
const receivers: Readonly<Record<string, (request: SeenRequest) => boolean | Promise<boolean>>> = {
  'great-detail': async (request) =>
    (await client().webhook.eventNotification(hook(request))).checkSignature(appSecret),
  kapso: ({ body: rawBody, headers }) =>
    verifySignature({ appSecret, rawBody, signatureHeader: String(headers['x-hub-signature-256']) }),
};

it('receivers that were written for Meta pass the handshake, and verify what arrives', async () => {
  const verdicts: Record<string, { genuine: boolean; forged: boolean; text: string }> = {};
  const server = await startHttpServer(async (_, response) => {
    const request = server.requests.at(-1) as SeenRequest;
    const { method, body, ...others } = hook(request);
    if (method === 'GET') {
      const { verifyToken: given, accept } = await client().webhook.register({ method, ...others });
      return response.end(given === verifyToken ? accept() : '');
    }
    const name = String(request.url?.slice(1));
    const isGenuine = receivers[name] ?? (() => false);
    const genuine = await isGenuine(request);
    const forged = await isGenuine({ ...request, body: body.replace('Ol', 'ol') });
    const { messages = [] } = JSON.parse(body).entry[0].changes[0].value;
    verdicts[name] = { genuine, forged, text: messages[0]?.text.body };
    return response.writeHead(genuine ? 200 : 401).end();
  });
  const names = Object.keys(receivers);
  const at = (target: string) => ({ params: { number: number?.id ?? '', target } });
  onTestFinished(async () => {
    for (const name of names) await service.api.succeed(deleteWebhookTarget, at(name));
    await server.close();
  });
  for (const name of names) {
    const settings = { format: 'meta', url: `${server.url}/${name}`, verify_token: verifyToken, app_secret: appSecret };
    await service.api.succeed(updateWebhookTarget, { ...at(name), body: settings });
  }
  const event = { type: 'text', phone_number_id: phoneNumberID, text: { body: text } };
  await service.simulate('events', 'POST', { events: [event] });
  const verdict = { genuine: true, forged: false, text };
  await expect.poll(() => verdicts, soon).toEqual(Object.fromEntries(names.map((name) => [name, verdict])));
});
