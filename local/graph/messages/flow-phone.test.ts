import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { decryptFile, type FileKeys } from '#shared/flow-endpoint/picked-file.ts';
import { hashOf } from '#support/flows/encrypted-file.ts';
import { startSealedEndpoint } from '#support/flows/sealed-endpoint.ts';
import { forAllTests } from '#support/for-tests.ts';
import {
  endpointFlowJson,
  phoneNumberId,
  startReceiver,
  startTestUpstream,
  validFlowJson,
} from '#support/worlds/simulated-graph.ts';

const contact = '5511988887777';

let templates = 0;
const nextTemplate = () => (templates += 1);

let answer: unknown;
const receiver = forAllTests(() => startReceiver());
const endpoint = forAllTests(() =>
  startSealedEndpoint(({ action }) => (action === 'ping' ? { data: { status: 'active' } } : answer)),
);
const upstream = forAllTests(() => startTestUpstream({ callbackUrl: receiver.url }));
beforeAll(async () => {
  await upstream.graph('POST', `/${phoneNumberId}/whatsapp_business_encryption`, {
    business_public_key: endpoint.publicKey,
  });
});
beforeEach(() => {
  answer = { screen: 'WELCOME', data: { slots: ['9:00'] } };
});

async function sendFlow(flow_id: string, parameters: Record<string, unknown>): Promise<string> {
  const { json } = await upstream.graph('POST', `/${phoneNumberId}/messages`, {
    messaging_product: 'whatsapp',
    to: contact,
    type: 'interactive',
    interactive: {
      type: 'flow',
      body: { text: 'Book a table' },
      action: {
        name: 'flow',
        parameters: { flow_message_version: '3', flow_cta: 'Book', mode: 'draft', flow_id, ...parameters },
      },
    },
  });
  return json.messages[0].id;
}

const act = (name: string, body?: object, id = 'latest') =>
  upstream.control('POST', `/messages/${encodeURIComponent(id)}/${name}`, body);

const staticFlow = () => upstream.createFlow({ flow_json: validFlowJson });
const dynamicFlow = () => upstream.createFlow({ flow_json: endpointFlowJson, endpoint_uri: endpoint.url });

/** The final responses that the business received for a message. */
const repliesTo = (id: string) =>
  vi.waitFor(() => {
    const replies = receiver.values().filter(({ messages }) => messages?.[0].context?.id === id);
    expect(replies).not.toEqual([]);
    return replies;
  });

describe('a Flow message that navigates', () => {
  it('opens on the screen that it names, with its data', async () => {
    const flow_id = await staticFlow();
    await sendFlow(flow_id, { flow_token: 't1', flow_action_payload: { screen: 'WELCOME', data: { name: 'Ana' } } });
    const view = { flow_id, flow_token: 't1', screen: 'WELCOME', data: { name: 'Ana' }, exchange: null };
    expect((await act('open-flow')).json).toEqual(view);
  });

  it('opens on the first screen otherwise', async () => {
    await sendFlow(await staticFlow(), {});
    expect((await act('open-flow')).json).toMatchObject({ screen: 'WELCOME', flow_token: 'unused' });
  });

  it('brings the final response, which names the message', async () => {
    const id = await sendFlow(await staticFlow(), { flow_token: 't2' });
    await act('complete-flow', { response: { name: 'Zoë' } });
    const [{ contacts, messages }] = await repliesTo(id);
    expect(contacts[0].wa_id).toBe(contact);
    expect(messages[0]).toMatchObject({
      from: contact,
      context: { from: '15550783881', id },
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent' } },
    });
    const { response_json } = messages[0].interactive.nfm_reply;
    expect(JSON.parse(response_json)).toEqual({ flow_token: 't2', name: 'Zoë' });
  });
});

describe('a Flow message that exchanges data', () => {
  it('asks the endpoint for the first screen, with its token', async () => {
    await sendFlow(await dynamicFlow(), { flow_token: 't3', flow_action: 'data_exchange' });
    const { json } = await act('open-flow');
    expect(json).toMatchObject({ screen: 'WELCOME', data: { slots: ['9:00'] }, exchange: { status: 200 } });
    expect(endpoint.opened.at(-1)).toEqual({ version: '3.0', action: 'INIT', flow_token: 't3' });
  });

  it('sends what was typed, goes back, and ends with the response of the endpoint', async () => {
    const id = await sendFlow(await dynamicFlow(), { flow_token: 't4', flow_action: 'data_exchange' });
    await act('open-flow');
    await act('exchange-data', { data: { slot: '9:00' } });
    const request = { version: '3.0', screen: 'WELCOME', flow_token: 't4' };
    expect(endpoint.opened.at(-1)).toEqual({ ...request, action: 'data_exchange', data: { slot: '9:00' } });
    await act('exchange-data', { action: 'BACK' });
    expect(endpoint.opened.at(-1)).toEqual({ ...request, action: 'BACK', data: {} });

    const params = { flow_token: 't4', booked: true };
    answer = { screen: 'SUCCESS', data: { extension_message_response: { params } } };
    expect((await act('exchange-data', { data: {} })).json.screen).toBe('SUCCESS');
    await act('complete-flow');
    const [{ messages }] = await repliesTo(id);
    expect(JSON.parse(messages[0].interactive.nfm_reply.response_json)).toEqual(params);
  });

  it('stays on its screen when the endpoint fails', async () => {
    await sendFlow(await dynamicFlow(), { flow_action: 'data_exchange' });
    await act('open-flow');
    answer = undefined;
    const { json } = await act('exchange-data');
    expect(json).toMatchObject({ screen: 'WELCOME', exchange: { answer: null } });
  });
});

interface EncryptedPhoto {
  cdn_url: string;
  encryption_metadata: FileKeys;
}

describe('a file that the contact picks', () => {
  const bytes = Buffer.from('a picture');
  const picture = { file_name: 'IMG_1.jpg', mime_type: 'image/jpeg', base64: bytes.toString('base64') };

  it('is encrypted for the endpoint, at an address that needs no token', async () => {
    await sendFlow(await dynamicFlow(), { flow_action: 'data_exchange' });
    const { json: picked } = await act('pick-file', picture);
    expect(picked).toMatchObject({ file_name: 'IMG_1.jpg', mime_type: 'image/jpeg', size: bytes.length });
    await act('exchange-data', { data: { photos: [picked], other: [{ media_id: 'x' }] } });
    const { data } = endpoint.opened.at(-1) as { data: { photos: EncryptedPhoto[]; other: unknown } };
    expect(data.other).toEqual([{ media_id: 'x' }]);
    const [{ cdn_url, encryption_metadata, ...names }] = data.photos as [EncryptedPhoto];
    expect(names).toEqual({ file_name: 'IMG_1.jpg', media_id: picked.media_id });
    const encrypted = Buffer.from(await (await fetch(cdn_url)).arrayBuffer());
    expect(decryptFile(encrypted, encryption_metadata)).toEqual(bytes);
    expect((await fetch(`${cdn_url}x`)).status).toBe(404);
  });

  it('comes in the final response as a file that can be downloaded', async () => {
    const id = await sendFlow(await staticFlow(), {});
    const { json: picked } = await act('pick-file', picture);
    await act('complete-flow', { response: { photos: [picked] } });
    const [{ messages }] = await repliesTo(id);
    const { photos } = JSON.parse(messages[0].interactive.nfm_reply.response_json);
    expect(photos).toEqual([
      {
        file_name: 'IMG_1.jpg',
        mime_type: 'image/jpeg',
        sha256: await hashOf(bytes),
        id: expect.stringMatching(/^\d+$/),
      },
    ]);
    const { json } = await upstream.graph('GET', `/${photos[0].id}?phone_number_id=${phoneNumberId}`);
    expect(json).toMatchObject({ mime_type: 'image/jpeg', file_size: String(bytes.length) });
  });

  it('has at most 25 MiB, and a final response at most ten files', async () => {
    await sendFlow(await staticFlow(), {});
    const large = Buffer.alloc(25 * 2 ** 20 + 1).toString('base64');
    expect((await act('pick-file', { ...picture, base64: large })).status).toBe(413);
    const { json: picked } = await act('pick-file', picture);
    expect((await act('complete-flow', { response: { photos: Array(11).fill(picked) } })).status).toBe(409);
  });
});

describe('a template with a Flow button', () => {
  async function sendTemplate(button: object, action: object = {}): Promise<string> {
    const components = [
      { type: 'BODY', text: 'Book a table' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'No' },
          { type: 'FLOW', text: 'Book', ...button },
        ],
      },
    ];
    const name = `book_${nextTemplate()}`;
    await upstream.control('POST', '/templates', { name, language: 'en', components });
    const parameters = [{ type: 'action', action }];
    const { json } = await upstream.graph('POST', `/${phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      to: contact,
      type: 'template',
      template: {
        name,
        language: { code: 'en' },
        components: [{ type: 'button', sub_type: 'flow', index: '1', parameters }],
      },
    });
    return json.messages[0].id;
  }

  it('opens its Flow on the screen of the template, with the data and the token of the message', async () => {
    const flow_id = await staticFlow();
    const id = await sendTemplate(
      { flow_id, flow_action: 'navigate', navigate_screen: 'WELCOME' },
      { flow_token: 't5', flow_action_data: { name: 'Ana' } },
    );
    const view = { flow_id, flow_token: 't5', screen: 'WELCOME', data: { name: 'Ana' }, exchange: null };
    expect((await act('open-flow')).json).toEqual(view);
    expect((await upstream.control('GET', `/messages/${encodeURIComponent(id)}/flow`)).json).toMatchObject({
      flow_json: expect.stringContaining('WELCOME'),
      flow_action: 'navigate',
      flow_action_payload: { screen: 'WELCOME', data: { name: 'Ana' } },
    });
    await act('complete-flow', { response: { seats: 2 } });
    const [{ messages }] = await repliesTo(id);
    expect(JSON.parse(messages[0].interactive.nfm_reply.response_json)).toEqual({ flow_token: 't5', seats: 2 });
  });

  it('asks the endpoint for the first screen if the template says so', async () => {
    await sendTemplate({ flow_id: await dynamicFlow(), flow_action: 'data_exchange' });
    expect((await act('open-flow')).json).toMatchObject({ screen: 'WELCOME', flow_token: 'unused' });
    expect(endpoint.opened.at(-1)).toEqual({ version: '3.0', action: 'INIT', flow_token: 'unused' });
  });
});
