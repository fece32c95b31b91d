import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract as sendMessage } from '#functions/messages/send-message/contract.ts';
import {
  contract as updateWebhook,
  workspaceContract as updateWorkspaceWebhook,
} from '#functions/webhooks/update-webhook/contract.ts';
import { seededNumbers } from '#local/seed.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { type FlowService, startFlowService } from '../../support/flows/flow-service.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { soon } from '../../support/worlds/delivery-world.ts';

let service: FlowService;
let receiver: Receiver;

const [number] = seededNumbers as [PhoneNumber];
const params = { number: number.id };
const contact = '5511977665544';
const conversation = `conversations/${number.phone_number_id}/${contact}`;

beforeAll(async () => {
  service = await startFlowService();
  receiver = await startReceiver();
  await service.api.succeed(updateWebhook, { params, body: { webhook: `${receiver.url}/number` } });
  const workspace = { workspace: number.workspace };
  await service.api.succeed(updateWorkspaceWebhook, {
    params: workspace,
    body: { webhook: `${receiver.url}/workspace` },
  });
});
afterAll(() => Promise.all([service.close(), receiver.close()]));

const write = (body: string) => {
  const { phone_number_id } = number;
  const event = { type: 'text', phone_number_id, contact: { wa_id: contact }, text: { body } };
  return service.simulate('events', 'POST', { events: [event] });
};
const arrived = (path: string) => receiver.received(path).map(({ body }) => JSON.parse(String(body)));
const standby = () => arrived('/workspace').filter(({ field }) => field === 'standby');
const handovers = () => arrived('/workspace').filter(({ field }) => field === 'messaging_handovers');

it('a conversation that another sender holds comes to the workspace until the number sends a message', async () => {
  await service.simulate(conversation, 'PUT', { held_by: 'ai_agent' });
  await write('Are you open?');
  await expect
    .poll(standby, soon)
    .toMatchObject([{ value: { standby: { messages: [{ from: contact, text: { body: 'Are you open?' } }] } } }]);
  const { phone_number_id } = number;
  const events = ['standby_echo', 'standby_status'].map((type) => ({ type, phone_number_id }));
  await service.simulate('events', 'POST', { events });
  await expect.poll(() => standby().length, soon).toBe(3);
  expect(
    standby()
      .map(({ value }) => Object.keys(value.standby).at(-1))
      .sort(),
  ).toEqual(['message_echoes', 'messages', 'statuses']);

  const body = { to: contact, type: 'text', text: { body: 'A person is here now.' } };
  await service.api.succeed(sendMessage, { params, body });
  await expect.poll(handovers, soon).toMatchObject([
    {
      value: {
        type: 'control_taken',
        recipient: { phone_number_id: number.phone_number_id },
        control_taken: { previous_owner_role: 'ai_agent', new_owner_role: 'escalation' },
      },
    },
  ]);
  await write('Thank you');
  const messages = () => arrived('/number').flatMap((notification) => notification.messages ?? []);
  await expect.poll(messages, soon).toMatchObject([{ from: contact, text: { body: 'Thank you' } }]);
  expect(standby()).toHaveLength(3);
});
