import { afterEach, describe, expect, it, vi } from 'vitest';
import { forAllTests } from '#support/for-tests.ts';
import { phoneNumberId, startReceiver, startTestUpstream } from '#support/worlds/simulated-graph.ts';

const phone = '5511988887777';
/** The user id that stands for the phone number. */
const userId = 'US.907777888891155';

const receiver = forAllTests(() => startReceiver());
const upstream = forAllTests(() => startTestUpstream({ callbackUrl: receiver.url }));
afterEach(() => upstream.control('PUT', '/population', { ids: 'phone_numbers' }));

const show = (ids: string) => upstream.control('PUT', '/population', { ids });

/** Waits until this many webhooks have arrived, and returns the new ones. */
async function during(count: number, act: () => Promise<unknown>) {
  const before = receiver.received.length;
  await act();
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(before + count));
  return receiver.values().slice(before);
}

const send = (recipient: object) =>
  upstream.graph('POST', `/${phoneNumberId}/messages`, {
    messaging_product: 'whatsapp',
    ...recipient,
    type: 'text',
    text: { body: 'Hi' },
  });
const receive = (event: object) => upstream.control('POST', '/events', { events: [event] });

describe('a population of user ids', () => {
  it('appears in no webhook with a phone number', async () => {
    await show('user_ids');
    const values = await during(7, async () => {
      await receive({ type: 'text' });
      await receive({ type: 'delivered', contact: { wa_id: phone, profile: { name: 'Ana' } } });
      await send({ to: phone });
      await upstream.control('POST', '/calls', { phone_number_id: phoneNumberId, from: phone });
      await upstream.control('POST', '/calls/latest/hang-up');
      await upstream.control('POST', `/call-permissions/${phoneNumberId}/${phone}/reply`, { response: 'accept' });
    });
    const text = JSON.stringify(values);
    expect(text).not.toContain(phone);
    expect(text).not.toContain('16505551234');
    expect(text).not.toMatch(/"(wa_id|recipient_id)"/);
    expect(values.flatMap(({ messages, calls }) => [...(messages ?? []), ...(calls ?? [])])).not.toEqual([]);
    expect(values[1]).toMatchObject({
      contacts: [{ profile: { name: 'Ana', username: 'sample_777788' }, user_id: userId }],
      statuses: [{ recipient_user_id: userId }],
    });
  });

  it('can be written to by user id, and has the same 24-hour window', async () => {
    await show('user_ids');
    await upstream.control('PUT', `/windows/${phoneNumberId}/${phone}`, { open: false });
    const [value] = await during(1, () => send({ recipient: userId }));
    expect(value.statuses[0]).toMatchObject({ recipient_user_id: userId, errors: [{ code: 131047 }] });
    await receive({ type: 'text', contact: { user_id: userId } });
    const [sent] = await during(2, () => send({ recipient: userId }));
    expect(sent.statuses[0].status).toBe('sent');
  });
});

describe('a population with both ids', () => {
  it('shows both, and the username once a message was delivered', async () => {
    await show('both');
    const [sent, delivered] = await during(2, () => send({ recipient: userId }));
    expect(sent.statuses[0]).toMatchObject({ recipient_id: phone, recipient_user_id: userId });
    expect(sent.contacts).toEqual([{ profile: { name: 'Sample Customer' }, wa_id: phone, user_id: userId }]);
    expect(delivered.contacts[0].profile.username).toBe('sample_777788');
  });
});
