import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phoneNumberId, startReceiver, startTestUpstream } from '#support/worlds/simulated-graph.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
beforeEach(async () => {
  receiver = await startReceiver();
  upstream = await startTestUpstream({ callbackUrl: receiver.url });
  await upstream.control('PUT', '/pacing/sale', { state: 'held' });
});
afterEach(async () => {
  await upstream.close();
  await receiver.close();
});

const send = async (name = 'sale') => {
  const message = { type: 'template', template: { name, language: { code: 'en_US' } } };
  const body = { messaging_product: 'whatsapp', to: '5511988887777', ...message };
  return (await upstream.graph('POST', `/${phoneNumberId}/messages`, body)).json;
};
const decide = (state: string) => upstream.control('PUT', '/pacing/sale', { state });
const changes = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).entry[0].changes[0]);
const statuses = () => changes().flatMap(({ value }) => value.statuses ?? []);

describe('a template that is paced', () => {
  it('has its messages held, and those of other templates go out', async () => {
    const { messages } = await send();
    expect(messages[0]).toMatchObject({ message_status: 'held_for_quality_assessment' });
    expect((await upstream.control('GET', '/pacing')).json.data).toEqual([
      { template: 'sale', state: 'held', messages: [messages[0].id] },
    ]);
    const other = (await send('order_sent')).messages[0];
    expect(other.message_status).toBe('accepted');
    await expect.poll(() => statuses().map(({ id }) => id)).toEqual([other.id, other.id]);
  });

  it('has its messages sent when people like them', async () => {
    const { id } = (await send()).messages[0];
    expect((await decide('released')).json).toEqual({ data: [] });
    await expect
      .poll(() => statuses().map((status) => [status.id, status.status]))
      .toEqual([
        [id, 'sent'],
        [id, 'delivered'],
      ]);
    expect((await send()).messages[0].message_status).toBe('accepted');
  });

  it('is paused when people do not like them: what waits fails, and nothing more is accepted', async () => {
    const { id } = (await send()).messages[0];
    await decide('dropped');
    await expect.poll(statuses).toMatchObject([{ id, status: 'failed', errors: [{ code: 132015 }] }]);
    expect(changes()).toContainEqual({
      field: 'message_template_status_update',
      value: expect.objectContaining({
        event: 'PAUSED',
        message_template_name: 'sale',
        message_template_language: 'en_US',
      }),
    });
    expect((await send()).error.code).toBe(132015);
    await decide('released');
    expect((await send()).messages[0].message_status).toBe('accepted');
  });
});
