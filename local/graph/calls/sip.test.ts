import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phoneNumberId, startReceiver, startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { sdpAnswer, sdpOffer } from '../events/samples.ts';

const contact = '5511988887777';
const servers = [{ hostname: 'sip.example.com' }];

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
beforeEach(async () => {
  receiver = await startReceiver();
  upstream = await startTestUpstream({ callbackUrl: receiver.url, sendingSettings: { windows: 'closed' } });
});
afterEach(() => Promise.all([upstream.close(), receiver.close()]));

const configure = (calling: object) => upstream.graph('POST', `/${phoneNumberId}/settings`, { calling });
const act = async (action: string, members: object) => {
  const body = { messaging_product: 'whatsapp', action, ...members };
  return (await upstream.graph('POST', `/${phoneNumberId}/calls`, body)).json;
};
const contactCalls = async () =>
  (await upstream.control('POST', '/calls', { phone_number_id: phoneNumberId, from: contact })).json.id;
const values = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).entry[0].changes[0].value);

describe('a number that takes calls over SIP', () => {
  it('has no operations on calls', async () => {
    const id = await contactCalls();
    await configure({ sip: { status: 'ENABLED', servers } });
    const answer = { call_id: id, session: { sdp_type: 'answer', sdp: sdpAnswer } };
    const connect = { to: contact, session: { sdp_type: 'offer', sdp: sdpOffer } };
    const results = [await act('connect', connect)];
    for (const action of ['pre_accept', 'accept', 'reject', 'terminate']) results.push(await act(action, answer));
    expect(results.map(({ error }) => error.code)).toEqual(Array(5).fill(131055));
    const permissions = await upstream.graph('GET', `/${phoneNumberId}/call_permissions?user_wa_id=${contact}`);
    expect(permissions.status).toBe(200);
  });

  it('gets no webhooks of calls, whose contact opens the window all the same', async () => {
    await configure({ sip: { status: 'ENABLED', servers } });
    const { length } = receiver.received;
    await contactCalls();
    await upstream.control('POST', '/calls/latest/no-answer');
    expect((await upstream.control('GET', '/windows')).json.data).toMatchObject([{ contact }]);
    await upstream.control('POST', '/events', { events: [{ type: 'text' }] });
    await expect.poll(() => values().at(-1)).toHaveProperty('messages');
    expect(
      receiver.received
        .slice(length)
        .map(({ body }) => String(body))
        .join(),
    ).not.toContain('calls');
  });

  it('gets call_created and terminate, without an SDP, if it asks for them', async () => {
    await configure({ sip: { status: 'ENABLED', webhook_delivery: 'ENABLED', servers } });
    const id = await contactCalls();
    await upstream.control('POST', '/calls/latest/no-answer');
    const calls = () => values().flatMap((value) => value.calls ?? []);
    await expect.poll(calls).toHaveLength(2);
    const common = { id, from: contact, direction: 'USER_INITIATED' };
    expect(calls()).toMatchObject(['call_created', 'terminate'].map((event) => ({ ...common, event })));
    expect(JSON.stringify(calls())).not.toContain('sdp');
  });
});

describe('a number that lets callers permit calls', () => {
  it('learns of the permission by a message that names the call', async () => {
    await upstream.control('PUT', `/call-permissions/${phoneNumberId}/${contact}`, { status: 'no_permission' });
    await configure({ callback_permission_status: 'ENABLED' });
    const id = await contactCalls();
    await expect
      .poll(() => values().flatMap(({ messages }) => messages ?? []))
      .toMatchObject([
        {
          context: { id },
          interactive: { call_permission_reply: { response: 'accept', response_source: 'automatic' } },
        },
      ]);
    const { json } = await upstream.control('GET', `/call-permissions/${phoneNumberId}/${contact}`);
    expect(json.status).toBe('temporary');
  });
});
