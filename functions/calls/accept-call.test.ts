import { beforeEach, describe, expect, it } from 'vitest';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { callReference } from '#shared/calls/call-errors.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { sdpOf, without } from '#support/sdp.ts';
import { failing, failingAt, graphRejection, silence, startCallWorld } from '#support/worlds/call-world.ts';
import { makeHandler } from './accept-call.ts';
import { acceptCall as contract } from './contracts.ts';

const log = logOfEachTest();

const operation = { contract, makeHandler };
const callId = 'wacid.HBgLMTIxODU1NTI4MjgVAgARGCAyODRQIAFRoA';
const answer = sdpOf('answer');

const world = forAllTests(() => startCallWorld());
beforeEach(() => world.reset());

const accept = async (body: unknown = { call_id: callId, sdp: answer }) =>
  world.call(operation, await world.newNumber(), { body });

const asked = () => world.bodies().map(({ action }) => action);

describe('accept-call', () => {
  it('pre-accepts, then accepts with the same answer', async () => {
    const number = await world.newNumber();
    const { status, text, headers } = await world.call(operation, number, { body: { call_id: callId, sdp: answer } });
    expect(status).toBe(200);
    expect(text).toBe('{"success":true}');
    expect(headers).not.toHaveProperty('x-sdp-findings');
    const common = { messaging_product: 'whatsapp', call_id: callId, session: { sdp_type: 'answer', sdp: answer } };
    expect(world.bodies()).toEqual([
      { ...common, action: 'pre_accept' },
      { ...common, action: 'accept' },
    ]);
    expect(new Set(world.requests.map(({ path }) => path))).toEqual(new Set([`${number.phone_number_id}/calls`]));
  });

  it('asks for a recording only when it accepts the call', async () => {
    const options = { biz_opaque_callback_data: 'queue 3', recording: { status: 'ENABLED' } };
    expect((await accept({ call_id: callId, sdp: answer, ...options })).status).toBe(200);
    const [preAccepted, accepted] = world.bodies();
    expect(accepted).toMatchObject(options);
    expect(preAccepted).not.toHaveProperty('recording');
  });

  it.each([
    ['of an earlier try', graphRejection(100)],
    ['whose value the upstream does not take', graphRejection(131009)],
    [
      'for a call whose id has the letters of SDP',
      graphRejection(100, 400, 'call_id wacid.HBgMaSDPaVeVw== is not valid'),
    ],
    ['with a code that nobody here knows', graphRejection(138_099)],
    ['by a fault of the moment', graphRejection(138004, 500)],
    ['without an answer', silence()],
  ])('accepts the call even if the pre-acceptance fails: %s', async (_, error) => {
    world.graph = failingAt('pre_accept', error);
    expect((await accept()).status).toBe(200);
    expect(asked()).toEqual(['pre_accept', 'accept']);
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'call.pre-accept-failed', call: callReference(callId) }),
    );
  });

  it.each([
    ['the number', graphRejection(138000, 401), 403],
    ['the account', graphRejection(131044), 400],
    ['the registration', graphRejection(133010), 403],
    ['the SDP', graphRejection(138008), 400],
    ['the SDP, as a value', graphRejection(131009, 400, 'session.sdp is not a valid answer'), 400],
    ['the SDP, in full', graphRejection(100, 400, 'The session description cannot be parsed'), 400],
    ['the rate', graphRejection(138005, 429), 429],
    ['our credentials', graphRejection(190, 401), 502],
    ['the connection', new UpstreamError('unreachable', 'Not there'), 502],
    ['a fault of ours', new TypeError('x is not a function'), 500],
  ])('does not accept the call if the pre-acceptance fails because of %s', async (_, error, status) => {
    world.graph = failingAt('pre_accept', error);
    expect((await accept()).status).toBe(status);
    expect(asked()).toEqual(['pre_accept']);
  });

  it.each([
    ['a rejection', graphRejection(100, 400, 'No such call'), 400, /No such call/],
    ['a fault', graphRejection(138007, 500), 502, /could not connect the call in time/],
    ['silence', silence(), 504, /outcome is unknown/],
  ])('sends accept once and reports how it fails: %s', async (_, error, status, message) => {
    world.graph = failingAt('accept', error);
    const { status: answered, json } = await accept();
    expect(answered).toBe(status);
    expect(json).toEqual({ message: expect.stringMatching(message) });
    expect(asked()).toEqual(['pre_accept', 'accept']);
  });

  it('says that the call is over', async () => {
    world.graph = failing(graphRejection(100, 400, 'The phone number has no call with this call_id.'));
    expect((await accept()).json.message).toMatch(/^The call has ended/);
  });

  it('lists the findings only if the platform rejects the SDP', async () => {
    const sdp = without(answer, 'a=rtcp-mux');
    for (const [error, lists] of [
      [graphRejection(138008), true],
      [graphRejection(100, 400, 'Invalid SDP'), true],
      [graphRejection(100, 400, 'recording.purpose is too long'), false],
      [graphRejection(138001), false],
    ] as const) {
      world.graph = failing(error);
      const { json, headers } = await accept({ call_id: callId, sdp });
      expect(headers['x-sdp-findings']).toBe('no-rtcp-mux');
      expect(json.message.includes('no-rtcp-mux: ')).toBe(lists);
      expect(json.message.includes('sdp check')).toBe(lists);
    }
  });

  it('reports findings on the SDP answer in a header, or in the message of a rejection', async () => {
    const body = { call_id: callId, sdp: without(sdpOf('offer'), 'a=rtcp-mux') };
    const taken = await accept(body);
    expect(taken).toMatchObject({ status: 200, headers: { 'x-sdp-findings': 'no-rtcp-mux,actpass-in-answer' } });
    world.graph = failing(graphRejection(100, 400, 'SDP Validation error'));
    const { status, json } = await accept(body);
    expect(status).toBe(400);
    expect(json.message).toMatch(/ SDP Validation error\. no-rtcp-mux: .* actpass-in-answer: /);
  });

  it.each<[object, string]>([
    [{ sdp: answer }, 'call_id'],
    [{ call_id: callId }, 'sdp'],
  ])('rejects a wrong field (%#)', async (body, field) => {
    const { status, json } = await accept(body);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual([field]);
    expect(world.requests).toEqual([]);
  });

  it('never logs the id of a call, which contains the phone number of the contact', async () => {
    world.graph = failingAt('pre_accept', graphRejection(100));
    for (const id of [callId, '5511987654321', 'wacid.\n{"event":"forged"}', `wacid.${'x'.repeat(10_000)}`]) {
      await accept({ call_id: id, sdp: answer });
    }
    expect(JSON.stringify(log)).not.toMatch(/wacid|HBgL|5511987654321|forged|xxxx/);
  });
});
