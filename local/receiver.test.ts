import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestWorld, type TestWorld } from '#test/support/world.ts';
import { type Received, startReceiver } from './receiver.ts';

let world: TestWorld;
const number = () => world.description.numbers[0]?.id ?? '';

beforeAll(async () => {
  world = await startTestWorld();
});
afterAll(() => world.close());

it('the receiver shows verified notifications, and removes its URL when it is closed', async () => {
  const received: Received[] = [];
  const receiver = await startReceiver(world.description, number(), (one) => received.push(one));
  await fetch(`${world.description.upstream_url}/simulator/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events: [{ type: 'text', text: { body: 'Hello' } }] }),
  });
  await expect.poll(() => received).toHaveLength(1);
  expect(received).toMatchObject([{ verified: true, notification: { messages: [{ text: { body: 'Hello' } }] } }]);
  await receiver.close();
  const response = await fetch(`${world.description.base_url}/v2/messaging/numbers/${number()}/webhook`, {
    headers: { authorization: `Bearer ${world.description.tokens.owner}` },
  });
  expect(await response.json()).toMatchObject({ webhook: null });
});

it('the receiver says why it cannot receive', async () => {
  const unknown = '33333339-3333-4333-8333-333333333339';
  await expect(startReceiver(world.description, unknown, () => {})).rejects.toThrow(/PUT webhook responded 404/);
});
