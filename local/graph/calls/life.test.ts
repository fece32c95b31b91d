import { beforeEach, describe, expect, it } from 'vitest';
import { isHubSigned } from '#shared/accounts/event-signature.ts';
import { splitEvents } from '#shared/ingestion/events.ts';
import { forEachTest } from '#support/for-tests.ts';
import { appSecret, phoneNumberId, startReceiver, startTestUpstream, wabaId } from '#support/worlds/simulated-graph.ts';
import { sdpAnswer, sdpOffer } from '../events/samples.ts';
import type { UpstreamOptions } from '../server.ts';

const start = 1_800_000_000_000;
const contact = '5511988887777';
const business = '15550783881';
const call = { phone_number_id: phoneNumberId, from: contact };

let clock = start;
const startWith = (options: Partial<UpstreamOptions> = {}) =>
  startTestUpstream({ callbackUrl: receiver.url, now: () => clock, ...options });
beforeEach(() => {
  clock = start;
});
const receiver = forEachTest(() => startReceiver());
const upstream = forEachTest(() => startWith());

const control = (path: string, body?: unknown) => upstream.control('POST', path, body);
const act = (action: string, members: object) =>
  upstream.graph('POST', `/${phoneNumberId}/calls`, { messaging_product: 'whatsapp', action, ...members });
const connect = async (members: object = {}): Promise<string> => {
  const session = { sdp_type: 'offer', sdp: sdpOffer };
  return (await act('connect', { to: contact, session, ...members })).json.calls[0].id;
};

/** Waits until this many webhooks have arrived, and returns their values. */
async function values(count: number) {
  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(count);
  expect(receiver.received.length).toBe(count);
  return receiver.received.map(({ headers, body }) => {
    expect(isHubSigned(String(headers['x-hub-signature-256']), body, appSecret)).toBe(true);
    const parsed = JSON.parse(body.toString());
    expect(splitEvents(parsed, clock)).not.toContainEqual(expect.objectContaining({ kind: 'ignored' }));
    const [change] = parsed.entry[0].changes;
    expect([parsed.entry[0].id, change.field]).toEqual([wabaId, 'calls']);
    return change.value;
  });
}

const status = (id: string, state: string, at: number, members = {}) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
  statuses: [{ id, timestamp: String(at / 1000), type: 'call', status: state, recipient_id: contact, ...members }],
});
const terminate = (members: object) =>
  expect.objectContaining({ calls: [{ from: business, to: contact, event: 'terminate', ...members }] });

describe('a call of the business', () => {
  it('rings, is answered, and completes', async () => {
    const biz_opaque_callback_data = 'order 7';
    const id = await connect({ biz_opaque_callback_data });
    clock += 5_000;
    await control(`/calls/${id}/answer`, { sdp: sdpAnswer });
    clock += 59_900;
    await act('terminate', { call_id: id });
    const [rings, connects, accepts, ends] = await values(4);

    expect(rings).toEqual(status(id, 'RINGING', start, { biz_opaque_callback_data }));
    expect(connects.calls).toEqual([
      {
        id,
        from: business,
        to: contact,
        event: 'connect',
        timestamp: '1800000005',
        direction: 'BUSINESS_INITIATED',
        connection: { webrtc: { sdp: sdpAnswer } },
        session: { sdp_type: 'answer', sdp: sdpAnswer },
        biz_opaque_callback_data,
      },
    ]);
    expect(accepts).toEqual(status(id, 'ACCEPTED', start + 5_000, { biz_opaque_callback_data }));
    expect(ends.calls).toEqual([
      {
        id,
        from: business,
        to: contact,
        event: 'terminate',
        timestamp: '1800000064',
        direction: 'BUSINESS_INITIATED',
        status: 'COMPLETED',
        start_time: '1800000005',
        end_time: '1800000064',
        duration: 59,
        biz_opaque_callback_data,
      },
    ]);
  });

  it('can be rejected by the user', async () => {
    const id = await connect();
    await control(`/calls/${id}/reject`);
    const [, rejects, ends] = await values(3);
    expect(rejects).toEqual(status(id, 'REJECTED', start));
    const end = { id, timestamp: '1800000000', direction: 'BUSINESS_INITIATED', status: 'COMPLETED' };
    expect(ends).toEqual(terminate(end));
  });

  it.each([
    ['nobody answers', (id: string) => control(`/calls/${id}/no-answer`)],
    ['the business gives up', (id: string) => act('terminate', { call_id: id })],
    ['the user hangs up', (id: string) => control(`/calls/${id}/hang-up`)],
  ])('ends without times when %s', async (_, end) => {
    const id = await connect();
    expect((await end(id)).status).toBe(200);
    const [, ends] = await values(2);
    const expected = { id, timestamp: '1800000000', direction: 'BUSINESS_INITIATED', status: 'COMPLETED' };
    expect(ends).toEqual(terminate(expected));
  });
});

describe('a call of a user', () => {
  it('delivers the offer, and can be completed', async () => {
    const { id } = (await control('/calls', { ...call, sdp: sdpOffer })).json;
    clock += 3_000;
    const session = { sdp_type: 'answer', sdp: sdpAnswer };
    await act('pre_accept', { call_id: id, session });
    await act('accept', { call_id: id, session });
    clock += 10_000;
    await control(`/calls/${id}/hang-up`);
    const [connects, ends] = await values(2);
    expect(connects).toEqual({
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
      contacts: [{ profile: { name: 'Sample Customer' }, wa_id: contact }],
      calls: [
        {
          id,
          from: contact,
          to: business,
          event: 'connect',
          timestamp: '1800000000',
          direction: 'USER_INITIATED',
          session: { sdp_type: 'offer', sdp: sdpOffer },
        },
      ],
    });
    expect(ends.calls).toEqual([
      {
        id,
        from: contact,
        to: business,
        event: 'terminate',
        timestamp: '1800000013',
        direction: 'USER_INITIATED',
        status: 'COMPLETED',
        start_time: '1800000003',
        end_time: '1800000013',
        duration: 10,
      },
    ]);
  });

  it.each([
    ['is rejected', (id: string) => act('reject', { call_id: id })],
    ['is not answered', (id: string) => control(`/calls/${id}/no-answer`)],
    ['ends before anyone answers', (id: string) => control(`/calls/${id}/hang-up`)],
  ])('completes without times if it %s', async (_, end) => {
    const { id } = (await control('/calls', call)).json;
    await end(id);
    const [, ends] = await values(2);
    expect(ends.calls).toEqual([
      {
        id,
        from: contact,
        to: business,
        event: 'terminate',
        timestamp: '1800000000',
        direction: 'USER_INITIATED',
        status: 'COMPLETED',
      },
    ]);
  });
});

describe('the ringing', () => {
  it('ends automatically after some time', async () => {
    await upstream.control('PATCH', '/calling', { ring_seconds: 0.02 });
    await connect();
    const [, ends] = await values(2);
    expect(ends.calls).toMatchObject([{ event: 'terminate', status: 'COMPLETED' }]);
  });

  it('does not end a call that was answered', async () => {
    await upstream.control('PATCH', '/calling', { ring_seconds: 0.2 });
    // On a busy machine, a call may end before it is answered.
    let id = await connect();
    while ((await control(`/calls/${id}/answer`)).status !== 200) id = await connect();
    const other = await connect({ to: '5511911112222' });
    await expect.poll(async () => (await upstream.control('GET', `/calls/${other}`)).json.state).toBe('ENDED');
    expect((await upstream.control('GET', `/calls/${id}`)).json.state).toBe('CONNECTED');
  });
});

describe('the phone of the user', () => {
  it('does what the state of the call allows, and otherwise says why not', async () => {
    const { id } = (await control('/calls', call)).json;
    for (const action of ['answer', 'reject']) {
      const { status: rejected, json } = await control(`/calls/${id}/${action}`);
      expect([rejected, json.error.message]).toEqual([409, expect.stringContaining('USER_INITIATED')]);
    }
    await control(`/calls/${id}/hang-up`);
    expect((await control('/calls/latest/hang-up')).json.error.message).toContain('ENDED');
    expect((await control('/calls/wacid.none/answer')).status).toBe(404);
  });
});
