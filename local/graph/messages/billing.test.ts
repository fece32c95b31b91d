import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import {
  phoneNumberId,
  silentPhoneNumberId,
  startReceiver,
  startTestUpstream,
} from '#support/worlds/simulated-graph.ts';

const contact = '5511988887777';
const text = { type: 'text', text: { body: 'Hello' } };
const template = { type: 'template', template: { name: 'order_sent', language: { code: 'en_US' } } };

let time: number;
beforeEach(() => {
  time = Date.parse('2026-11-30T23:00:00Z');
});
const receiver = forEachTest(() => startReceiver());
const upstream = forEachTest(() =>
  startTestUpstream({
    callbackUrl: receiver.url,
    now: () => time,
    sendingSettings: { free_service_messages: 1 },
  }),
);

/** The statuses of a new message, when it is delivered to all. */
async function statusesOf(message: object, number = phoneNumberId) {
  const body = { messaging_product: 'whatsapp', to: contact, ...message };
  const { json } = await upstream.graph('POST', `/${number}/messages`, body);
  const found = () =>
    receiver
      .values()
      .flatMap(({ statuses }) => statuses ?? [])
      .filter(({ id }) => id === json.messages[0].id);
  await expect.poll(found).toHaveLength('recipient_type' in message ? 3 : 2);
  return found();
}

async function pricingOf(message: object, number?: string) {
  const [sent, delivered] = await statusesOf(message, number);
  expect(delivered.pricing).toEqual(sent.pricing);
  return sent.pricing;
}

const free = { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' };
const billed = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' };

describe('the price of a message', () => {
  it('of service is billed once those that are free in the month are used up, for each number', async () => {
    expect(await pricingOf(text)).toEqual(free);
    expect(await pricingOf(text)).toEqual(billed);
    expect(await pricingOf(text, silentPhoneNumberId)).toEqual(free);
    time += 3_600_000;
    expect(await pricingOf(text)).toEqual(free);
  });

  it('of a utility template is billed inside the window, too, and uses up nothing that is free', async () => {
    await upstream.control('PUT', `/windows/${phoneNumberId}/${contact}`, { open: true });
    expect(await pricingOf(template)).toEqual({ ...billed, category: 'utility' });
    expect(await pricingOf(text)).toEqual(free);
  });

  it('is nothing for three days after a free entry point, whose conversation the statuses name', async () => {
    const window = { open: true, free_entry_point: true };
    await upstream.control('PUT', `/windows/${phoneNumberId}/${contact}`, window);
    const fromAd = { ...free, type: 'free_entry_point', category: 'referral_conversion' };
    const expiration_timestamp = String(time / 1000 + 259_200);
    const conversation = {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      expiration_timestamp,
      origin: { type: 'referral_conversion' },
    };
    for (const message of [text, template]) {
      expect(await statusesOf(message)).toMatchObject(Array(2).fill({ pricing: fromAd, conversation }));
    }
    await upstream.control('POST', '/events', { events: [{ type: 'text', contact: { wa_id: contact } }] });
    expect(await pricingOf(text)).toEqual(fromAd);
    time += 259_200_000;
    expect(await pricingOf(template)).toEqual({ ...billed, category: 'utility' });
  });

  it('of a group has names of its own', async () => {
    const group = { to: 'Y2FwaV9ncm91cDox', recipient_type: 'group' };
    const freeInGroup = { ...free, type: 'free_group_customer_service', category: 'group_service' };
    expect(await pricingOf({ ...text, ...group })).toEqual(freeInGroup);
    expect(await pricingOf({ ...text, ...group })).toEqual({ ...billed, category: 'group_service' });
  });
});
