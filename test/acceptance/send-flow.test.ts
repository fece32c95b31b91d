import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, vi } from 'vitest';
import { listDeliveries, replayDelivery } from '#functions/deliveries/contracts.ts';
import { getFlowFunnel, publishFlow, updateFlowJson } from '#functions/flows/contracts.ts';
import { sendMessage } from '#functions/messages/contracts.ts';
import { rotateWebhookSecret, updateWebhook } from '#functions/webhooks/contracts.ts';
import type { FlowView } from '#local/graph/messages/flow-phone.ts';
import { seededNumbers, seededTokens, seededWorkspaces } from '#local/seed.ts';
import { maxDirectBytes } from '#shared/media/media-limits.ts';
import type { FlowObject, FlowService } from '../../support/flows/flow-service.ts';
import { type Received, type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { soon } from '../../support/worlds/delivery-world.ts';
import { dynamic } from '../browser/dynamic.ts';
import { it } from './shared-world.ts';

const workspace = String(seededWorkspaces[0]?.id);
const number = String(seededNumbers[0]?.id);

const screen = (id: string, terminal: boolean) => ({
  id,
  title: id,
  terminal,
  data: {},
  layout: {
    type: 'SingleColumnLayout',
    children: [
      { type: 'TextBody', text: 'Choose.' },
      { type: 'Footer', label: 'Next', 'on-click-action': { name: 'data_exchange', payload: {} } },
    ],
  },
});

const bookingJson = {
  version: '7.3',
  data_api_version: '3.0',
  routing_model: { DATE: ['TIME'], TIME: [] },
  screens: [screen('DATE', false), screen('TIME', true)],
};

interface Request {
  action: string;
  screen?: string;
  flow_token?: string;
}

/** The customer's server: DATE, TIME, the end. */
function respond({ action, screen, flow_token }: Request): object {
  if (action === 'ping') return { data: { status: 'active' } };
  if (action === 'INIT') return { screen: 'DATE', data: {} };
  if (screen === 'DATE') return { screen: 'TIME', data: {} };
  return { screen: 'SUCCESS', data: { extension_message_response: { params: { flow_token, table: 'T1' } } } };
}

let service: FlowService;
let customer: Receiver;
let secret: string;

it.beforeAll(async ({ service: shared }) => {
  service = shared;
  customer = await startReceiver();
  customer.script('/flow', ({ body }) => ({ body: JSON.stringify(respond(JSON.parse(body.toString()))) }));
  await service.api.succeed(updateWebhook, { params: { number }, body: { webhook: `${customer.url}/hook` } });
  ({ secret } = await service.api.succeed(rotateWebhookSecret, { params: { number } }));
});
it.afterAll(async () => {
  await service.api.succeed(updateWebhook, { params: { number }, body: { webhook: null } });
  await customer.close();
  service.expectQuiet();
});

async function publishedFlow(json: object = bookingJson): Promise<FlowObject> {
  const { id } = await service.draft(workspace, { endpoint_url: `${customer.url}/flow`, endpoint_encrypted: false });
  const params = { workspace, flow: id };
  await service.api.succeed(updateFlowJson, { params, body: { json } });
  return service.api.succeed(publishFlow, { params });
}

/** Sends the Flow and returns the id of the message. */
async function send({ id }: FlowObject, to: string, members: object = {}): Promise<string> {
  const content = { flow: id, cta: 'Book', body: 'Book a table', ...members };
  const sent = await service.api.succeed(sendMessage, {
    params: { number },
    body: { to, type: 'flow', flow: content },
  });
  if (!('messages' in sent)) throw new Error('The response has no message');
  return String(sent.messages[0]?.id);
}

/** What the contact does with the message on their phone. */
const act = (message: string, action: 'open-flow' | 'exchange-data' | 'complete-flow', body: object = {}) =>
  service.simulate<FlowView>(`messages/${encodeURIComponent(message)}/${action}`, 'POST', body);

const funnelOf = ({ id }: FlowObject) => service.api.succeed(getFlowFunnel, { params: { workspace, flow: id } });

/** The final responses that the customer received and that contain this text. */
const completions = (text: string): Promise<Received[]> =>
  vi.waitFor(() => {
    const found = customer.received('/hook').filter(({ body }) => body.includes('nfm_reply') && body.includes(text));
    expect(found).not.toEqual([]);
    return found;
  }, soon);

const askedWith = (flowToken: string) =>
  customer.received('/flow').filter(({ body }) => JSON.parse(body.toString()).flow_token === flowToken);

const reference = ({ headers }: Received) => ({
  flow: headers['x-flow-id'],
  message: headers['x-message-id'],
  contact: headers['x-contact'],
});

describe('a Flow that is sent by its id', () => {
  it('is opened, filled in and completed, and each request says for which message and contact', async () => {
    const booking = await publishedFlow();
    const [contact, undecided, uninterested] = ['5511900000001', '5511900000002', '5511900000003'];
    const message = await send(booking, contact);
    const abandoned = await send(booking, undecided);
    await send(booking, uninterested);
    const sent = { flow: booking.id, message, contact };

    const { screen: first, flow_token: token } = await act(message, 'open-flow');
    expect(first).toBe('DATE');
    expect(await act(message, 'exchange-data', { data: { date: 'tomorrow' } })).toMatchObject({ screen: 'TIME' });
    await act(abandoned, 'open-flow');
    expect(await funnelOf(booking)).toEqual({
      sent: 3,
      opened: 2,
      completed: 0,
      screens: [
        { screen: 'DATE', stopped: 1 },
        { screen: 'TIME', stopped: 1 },
      ],
    });
    await act(message, 'exchange-data');
    await act(message, 'complete-flow');
    expect(askedWith(token).map(reference)).toEqual([sent, sent, sent]);

    const [completion] = await completions(token);
    if (!completion) throw new Error('The customer received no final response');
    expect(reference(completion)).toEqual(sent);
    const headers = completion.headers as Record<string, string>;
    const { messages } = new Webhook(secret).verify(completion.body, headers) as { messages: FinalResponse[] };
    expect(JSON.parse(messages[0]?.interactive.nfm_reply.response_json ?? '')).toEqual({
      flow_token: token,
      table: 'T1',
    });
    expect(await funnelOf(booking)).toEqual({
      sent: 3,
      opened: 2,
      completed: 1,
      screens: [{ screen: 'DATE', stopped: 1 }],
    });

    const delivery = String(headers['webhook-id']);
    const { data } = await service.api.succeed(listDeliveries, { params: { number } });
    expect(data.find(({ id }) => id === delivery)?.sent_flow).toEqual(sent);
    await service.api.succeed(replayDelivery, { params: { number, delivery } });
    await vi.waitFor(async () => {
      expect((await completions(token)).map(reference)).toEqual([sent, sent]);
    }, soon);
  });
});

const pickerJson = {
  version: '7.3',
  data_api_version: '3.0',
  routing_model: { DATE: ['TIME'], TIME: [] },
  screens: [
    {
      ...screen('DATE', false),
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'PhotoPicker', name: 'photos', label: 'Photos' },
          {
            ...{ type: 'Footer', label: 'Next' },
            'on-click-action': { name: 'data_exchange', payload: { photos: dynamic('form.photos') } },
          },
        ],
      },
    },
    screen('TIME', true),
  ],
};

describe('photos that a contact picks in a Flow', () => {
  const [small, large] = [Buffer.from('a picture'), randomBytes(maxDirectBytes + 1)];

  it('reach the endpoint as addresses, and the webhook as media of the number', async () => {
    const flow = await publishedFlow(pickerJson);
    const message = await send(flow, '5511900000004');
    const { flow_token: token } = await act(message, 'open-flow');
    const pick = (bytes: Buffer) => {
      const file = { file_name: 'IMG_1.jpg', mime_type: 'image/jpeg', base64: bytes.toString('base64') };
      return service.simulate<object>(`messages/${encodeURIComponent(message)}/pick-file`, 'POST', file);
    };
    const photos = [await pick(small), await pick(large)];

    await act(message, 'exchange-data', { data: { photos } });
    const { body } = askedWith(token).at(-1) ?? {};
    expect(String(body)).not.toMatch(/cdn_url|encryption_metadata/);
    const urls: string[] = JSON.parse(String(body)).data.photos.map(({ url }: { url: string }) => url);
    for (const [index, bytes] of [small, large].entries()) {
      const response = await fetch(String(urls[index]));
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="file.jpg"');
    }
    expect((await fetch(`${urls[0]}A`)).status).toBe(404);

    await act(message, 'complete-flow', { response: { photos } });
    const [completion] = await completions(token);
    const { messages } = JSON.parse(String(completion?.body)) as { messages: FinalResponse[] };
    const received = JSON.parse(messages[0]?.interactive.nfm_reply.response_json ?? '').photos;
    for (const [index, bytes] of [small, large].entries()) {
      const url = `${service.baseUrl}/v2/messaging/numbers/${number}/media/${received[index].id}`;
      const download = await fetch(url, { headers: { authorization: `Bearer ${seededTokens.member}` } });
      expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });
});

interface FinalResponse {
  interactive: { nfm_reply: { response_json: string } };
}
