import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import { phoneNumberId, startReceiver, startTestUpstream } from '#support/worlds/simulated-graph.ts';

const contact = '5511988887777';
const text = { type: 'text', text: { body: 'Your order is on its way.' } };
const templateOf = (name: string) => ({ type: 'template', template: { name, language: { code: 'en_US' } } });

const receiver = forEachTest(() => startReceiver());
const upstream = forEachTest(() => startTestUpstream({ callbackUrl: receiver.url }));
beforeEach(async () => {
  for (const category of ['MARKETING', 'UTILITY', 'AUTHENTICATION']) {
    const template = { name: category.toLowerCase(), category, language: 'en_US', components: [] };
    await upstream.control('POST', '/templates', template);
  }
});

const post = (edge: string, members: object) =>
  upstream.graph('POST', `/${phoneNumberId}/${edge}`, { messaging_product: 'whatsapp', to: contact, ...members });
const market = (members: object) => post('marketing_messages', { recipient_type: 'individual', ...members });
const codeOf = ({ json }: Awaited<ReturnType<typeof post>>) => json.error?.code;

/** The `pricing` of the first status of the message that was just sent. */
async function pricing() {
  const statuses = () => receiver.values().flatMap(({ statuses }) => statuses ?? []);
  await expect.poll(() => statuses().length).toBeGreaterThan(0);
  return statuses()[0].pricing;
}

describe('a message with a category', () => {
  beforeEach(() => upstream.control('PUT', `/windows/${phoneNumberId}/${contact}`, { open: false }));

  it('arrives outside the window and is billed as such', async () => {
    expect((await post('messages', { ...text, category: 'utility' })).status).toBe(200);
    expect(await pricing()).toMatchObject({ billable: true, category: 'utility' });
  });

  it('may have no other category', async () => {
    expect(codeOf(await post('messages', { ...text, category: 'marketing' }))).toBe(100);
  });
});

describe('a template', () => {
  it.each(['utility', 'authentication', 'marketing'])('of the category %s is billed as such', async (category) => {
    expect((await post('messages', templateOf(category))).status).toBe(200);
    expect(await pricing()).toMatchObject({ billable: true, type: 'regular', category });
  });
});

describe('a marketing message', () => {
  it('a marketing message is billed as marketing_lite', async () => {
    const { status, json } = await market(templateOf('marketing'));
    expect([status, json.messages[0].message_status]).toEqual([200, 'accepted']);
    expect(await pricing()).toMatchObject({ billable: true, pricing_model: 'PMP', category: 'marketing_lite' });
  });

  it.each<[string, object, number]>([
    ['text', text, 100],
    ['recipient without a type', { ...templateOf('marketing'), recipient_type: undefined }, 100],
  ])('a marketing message is rejected: %s', async (_, members, code) => {
    expect(codeOf(await market(members))).toBe(code);
  });
});
