import { randomInt } from 'node:crypto';
import { describe, expect } from 'vitest';
import { sendMessage } from '#functions/messages/contracts.ts';
import { updateWebhook } from '#functions/webhooks/contracts.ts';
import { seededNumbers } from '#local/seed.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { FlowService } from '../../support/flows/flow-service.ts';
import type { CallOptions } from '../../support/http/client.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { soon } from '../../support/worlds/delivery-world.ts';
import { it } from './shared-world.ts';

let service: FlowService;
let receiver: Receiver;

const [number, , inactive] = seededNumbers as [PhoneNumber, PhoneNumber, PhoneNumber];
const params = { number: number.id };

it.beforeAll(async ({ service: shared }) => {
  service = shared;
  receiver = await startReceiver();
  await service.api.succeed(updateWebhook, { params, body: { webhook: `${receiver.url}/messages` } });
});
it.afterAll(async () => {
  await service.api.succeed(updateWebhook, { params, body: { webhook: null } });
  await receiver.close();
  service.expectQuiet();
});

const newContact = () => `5511${randomInt(10 ** 8, 10 ** 9)}`;
const textTo = (to: string) => ({ to, type: 'text', text: { body: 'Hello 👋' } });
const send = (body: unknown, options: CallOptions = {}) => service.api.call(sendMessage, { params, body, ...options });

interface SentMessage {
  id: string;
  contact: string;
  type: string;
  content: unknown;
}

const sentTo = async (contact: string) =>
  (await service.simulate<{ data: SentMessage[] }>('messages')).data.filter((message) => message.contact === contact);

const idOf = (body: unknown) => (body as { messages: { id: string }[] }).messages[0]?.id ?? '';

interface Status {
  [member: string]: unknown;
  id: string;
  status: string;
  errors?: { code: number }[];
}

const statusesOf = (id: string) =>
  receiver
    .received('/messages')
    .flatMap(({ body }) => (JSON.parse(body.toString()) as { statuses?: Status[] }).statuses ?? [])
    .filter((status) => status.id === id);

describe('a message', () => {
  it('is accepted, and its statuses arrive at the webhook', async () => {
    const contact = newContact();
    const { status, body } = await send({ ...textTo(contact), biz_opaque_callback_data: 'order-4711' });
    expect(status).toBe(200);
    expect(body).toEqual({ messages: [{ id: idOf(body) }], contacts: [{ input: contact, wa_id: contact }] });
    expect(await sentTo(contact)).toMatchObject([{ id: idOf(body), type: 'text' }]);
    await expect
      .poll(
        () =>
          statusesOf(idOf(body))
            .map((each) => each.status)
            .sort(),
        soon,
      )
      .toEqual(['delivered', 'sent']);
    expect(statusesOf(idOf(body))[0]).toMatchObject({ biz_opaque_callback_data: 'order-4711' });
  });

  it('is sent for no number that is not active, and for no stranger', async () => {
    const { stranger, member } = service.world.description.tokens;
    const message = textTo(newContact());
    expect((await send(message, { params: { number: inactive.id } })).status).toBe(404);
    expect((await send(message, { token: stranger })).status).toBe(404);
    expect((await send(message, { token: null })).status).toBe(401);
    expect((await send(message, { token: member })).status).toBe(200);
  });
});
