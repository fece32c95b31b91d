import { describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import { phoneNumberId, silentPhoneNumberId, startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { sdpAnswer, sdpOffer } from '../events/samples.ts';

const upstream = forEachTest(() => startTestUpstream());

const contact = '5511988887777';
const offer = { sdp_type: 'offer', sdp: sdpOffer };
const answer = { sdp_type: 'answer', sdp: sdpAnswer };
const done = { messaging_product: 'whatsapp', success: true };

const act = (action: string, members: object = {}, phone = phoneNumberId) =>
  upstream.graph('POST', `/${phone}/calls`, { messaging_product: 'whatsapp', action, ...members });
const connect = (members: object = {}, phone = phoneNumberId) =>
  act('connect', { to: contact, session: offer, ...members }, phone);
const control = (path: string, body?: unknown) => upstream.control('POST', path, body);
const stateOf = async (id: string) => (await upstream.control('GET', `/calls/${id}`)).json.state;
const rejectionOf = ({ status, json }: Awaited<ReturnType<typeof act>>) => [status, json.error.code];

/** A call of a user that rings. */
const incoming = async (): Promise<string> => (await control('/calls', { from: contact })).json.id;

describe('connect', () => {
  it('makes the phone ring, and returns the id', async () => {
    const { status, json } = await connect();
    expect(status).toBe(200);
    expect(json).toEqual({ messaging_product: 'whatsapp', calls: [{ id: expect.stringMatching(/^wacid\.[\w-]+$/) }] });
    expect((await upstream.control('GET', '/calls/latest')).json).toMatchObject({
      id: json.calls[0].id,
      phone_number_id: phoneNumberId,
      contact,
      direction: 'BUSINESS_INITIATED',
      state: 'RINGING',
      offer: sdpOffer,
      answer: null,
    });
  });

  it.each([
    ['no product', { messaging_product: null }, 100, 'messaging_product'],
    ['nobody to call', { to: null }, 100, 'to is required'],
    ['what is not a phone number', { to: 'Kerry' }, 131009, 'to has to be a phone number'],
    ['what is not a user id', { to: null, recipient: '1' }, 131009, 'recipient has to be a business-scoped user id'],
    ['no session', { session: undefined }, 100, 'session is required'],
    ['no SDP', { session: { sdp_type: 'offer' } }, 100, "session['sdp'] is required"],
    ['an answer', { session: answer }, 100, "session['sdp_type'] must be one of {offer}"],
    ['callback data that is too long', { biz_opaque_callback_data: 'x'.repeat(513) }, 131009, 'at most 512'],
  ])('rejects a request with %s', async (_, members, code, words) => {
    const { status, json } = await connect(members);
    expect([status, json.error.code]).toEqual([400, code]);
    expect(JSON.stringify(json.error)).toContain(words);
    expect((await upstream.control('GET', '/calls')).json.data).toEqual([]);
  });

  it.each([
    ['no SDP at all', 'hello', 'it is not SDP'],
    ['no audio', sdpOffer.replace('m=audio', 'm=video'), 'no audio section'],
    ['rejected audio', sdpOffer.replace('m=audio 9', 'm=audio 0'), 'no audio section'],
    ['no ICE name', sdpOffer.replace('a=ice-ufrag', 'a=x'), 'no ICE credentials'],
    ['no ICE password', sdpOffer.replace('a=ice-pwd', 'a=x'), 'no ICE credentials'],
    ['another fingerprint', sdpOffer.replace('sha-256', 'sha-1'), 'no fingerprint of sha-256'],
  ])('rejects an offer with %s', async (_, sdp, details) => {
    const { json } = await connect({ session: { sdp_type: 'offer', sdp } });
    expect([json.error.code, json.error.error_data.details]).toEqual([131009, expect.stringContaining(details)]);
  });

  it('rejects a second call with the same user, in either direction', async () => {
    await connect();
    expect(rejectionOf(await connect())).toEqual([400, 138003]);
    expect((await connect({ to: '5511911112222' })).status).toBe(200);
    await control('/calls', { from: '5511933334444' });
    expect(rejectionOf(await connect({ to: '5511933334444' }))).toEqual([400, 138003]);
  });

  it('rejects a number without calling, and an unknown number', async () => {
    expect(rejectionOf(await connect({}, silentPhoneNumberId))).toEqual([401, 138000]);
    const { status, json } = await connect({}, '1');
    expect([status, json.error.code, json.error.error_subcode]).toEqual([400, 100, 33]);
  });
});

describe('a call of a user', () => {
  it('can be pre-accepted, then accepted with the same SDP', async () => {
    const call_id = await incoming();
    expect((await act('pre_accept', { call_id, session: answer })).json).toEqual(done);
    expect((await upstream.control('GET', `/calls/${call_id}`)).json).toMatchObject({
      state: 'PRE_ACCEPTED',
      answer: sdpAnswer,
    });
    const other = { sdp_type: 'answer', sdp: sdpAnswer.replace('50000', '50001') };
    const { status, json } = await act('accept', { call_id, session: other });
    expect([status, json.error.code]).toEqual([400, 131009]);
    expect(json.error.error_data.details).toContain('pre_accept');
    expect((await act('accept', { call_id, session: answer })).json).toEqual(done);
    expect(await stateOf(call_id)).toBe('CONNECTED');
  });

  it('can be rejected before it is accepted', async () => {
    const call_id = await incoming();
    await act('pre_accept', { call_id, session: answer });
    expect((await act('reject', { call_id })).json).toEqual(done);
    expect(await stateOf(call_id)).toBe('ENDED');
  });

  it.each([
    ['an offer', { sdp_type: 'offer', sdp: sdpAnswer }, 100],
    ['an offer that is called an answer', { sdp_type: 'answer', sdp: sdpOffer }, 131009],
  ])('cannot be accepted with %s', async (_, session, code) => {
    const call_id = await incoming();
    expect(rejectionOf(await act('accept', { call_id, session }))).toEqual([400, code]);
  });
});

describe('an action that the call does not allow', () => {
  const cases: [string, string, string[]][] = [
    ['a ringing call of the business', 'RINGING', ['pre_accept', 'accept', 'reject']],
    ['a pre-accepted call', 'PRE_ACCEPTED', ['pre_accept']],
    ['a connected call', 'CONNECTED', ['pre_accept', 'accept', 'reject']],
    ['a call that has ended', 'ENDED', ['pre_accept', 'accept', 'reject', 'terminate']],
  ];
  it.each(cases.flatMap(([what, state, actions]) => actions.map((action) => [what, action, state] as const)))(
    'is rejected for %s: %s',
    async (_, action, state) => {
      const call_id = state === 'RINGING' ? (await connect()).json.calls[0].id : await incoming();
      if (state === 'PRE_ACCEPTED') await act('pre_accept', { call_id, session: answer });
      if (state === 'CONNECTED') await act('accept', { call_id, session: answer });
      if (state === 'ENDED') await act('terminate', { call_id });
      const { status, json } = await act(action, { call_id, session: answer });
      expect([status, json.error.code]).toEqual([400, 100]);
      expect(json.error.error_data.details).toContain('not possible');
      expect(await stateOf(call_id)).toBe(state);
    },
  );

  it.each(['pre_accept', 'accept', 'reject', 'terminate'])('is rejected if the call is unknown: %s', async (action) => {
    const of = async (call_id: unknown, phone = phoneNumberId) =>
      (await act(action, { call_id, session: answer }, phone)).json.error;
    expect(await of('wacid.nothing')).toMatchObject({ code: 100, error_data: { details: expect.any(String) } });
    expect((await of(undefined)).message).toContain('call_id is required');
    expect((await of(await incoming(), silentPhoneNumberId)).code).toBe(138000);
  });
});
