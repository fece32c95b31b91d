import { beforeEach, describe, expect, it } from 'vitest';
import { callReference } from '#shared/calls/call-errors.ts';
import { requestId } from '#support/aws/http-event.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { token } from '#support/fakes/fake-access.ts';
import { forAllTests } from '#support/for-tests.ts';
import { sdpOf, without } from '#support/sdp.ts';
import { failing, graphRejection, silence, startCallWorld } from '#support/worlds/call-world.ts';
import { makeCall as contract } from './contracts.ts';
import { makeHandler } from './make-call.ts';

const log = logOfEachTest();

const operation = { contract, makeHandler };
const contact = '5511987654321';
const offer = sdpOf('offer');

const world = forAllTests(() => startCallWorld());
beforeEach(() => world.reset());

const bodyWith = (sdp: string, session: object = {}) => ({
  to: contact,
  connection: { webrtc: { sdp } },
  session: { sdp, ...session },
});

const make = async (body: unknown, headers = {}) => world.call(operation, await world.newNumber(), { body, headers });

describe('make-call', () => {
  it('starts the call with an offer and returns only success', async () => {
    const number = await world.newNumber();
    const { status, text, headers } = await world.call(operation, number, { body: bodyWith(offer) });
    expect(status).toBe(200);
    expect(text).toBe('{"success":true}');
    expect(headers).not.toHaveProperty('x-sdp-findings');
    expect(world.requests).toEqual([
      {
        method: 'POST',
        path: `${number.phone_number_id}/calls`,
        json: {
          messaging_product: 'whatsapp',
          to: contact,
          action: 'connect',
          session: { sdp_type: 'offer', sdp: offer },
          connection: { webrtc: { sdp: offer } },
        },
      },
    ]);
  });

  it('calls a person without a phone number by the user id', async () => {
    const { to: _, ...body } = bodyWith(offer);
    expect((await make({ ...body, recipient: 'BR.13491208655302741918' })).status).toBe(200);
    expect(world.requests[0]?.json).toMatchObject({ recipient: 'BR.13491208655302741918', action: 'connect' });
    expect(JSON.stringify(world.requests[0]?.json)).not.toContain('"to"');
  });

  it('passes on the data that comes back in events, and asks for a recording and a transcription', async () => {
    const options = {
      biz_opaque_callback_data: 'order 7',
      recording: { status: 'ENABLED', purpose: 'Quality', announcement_language: 'pt_BR', beep: true },
      transcription: { status: 'ENABLED' },
    };
    expect((await make({ ...bodyWith(offer), ...options })).status).toBe(200);
    expect(world.requests[0]?.json).toMatchObject({ ...options, action: 'connect' });
  });

  it.each(['wacid.HBgLMTU1NTAxMDA5OTk=', 'call:7~a', `wacid.${'x'.repeat(506)}`])(
    'names the new call in a header: %s',
    async (id) => {
      world.graph = () => ({ messaging_product: 'whatsapp', calls: [{ id }] });
      const { text, headers } = await make(bodyWith(offer));
      expect(text).toBe('{"success":true}');
      expect(headers).toMatchObject({ 'x-call-id': id });
    },
  );

  it.each([
    [{}],
    [{ calls: [{ id: 7 }] }],
    [{ calls: [{ id: 'wacid.1\r\nset-cookie: x' }] }],
    [{ calls: [{ id: 'x'.repeat(513) }] }],
  ])('has no such header if the platform returns no usable id: %j', async (answer) => {
    world.graph = () => ({ messaging_product: 'whatsapp', success: true, ...answer });
    const { status, headers } = await make(bodyWith(offer));
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('x-call-id');
  });

  it.each(['offer', 'answer', 'pranswer', ''])('sends an offer although sdp_type says %j', async (sdp_type) => {
    expect((await make(bodyWith(offer, { sdp_type }))).status).toBe(200);
    expect(world.bodies()).toMatchObject([{ session: { sdp_type: 'offer', sdp: offer } }]);
  });

  it('uses the SDP of the session and forwards the other one', async () => {
    const other = without(offer, 'a=mid');
    const { headers } = await make({ ...bodyWith(offer), connection: { webrtc: { sdp: other } } });
    expect(world.bodies()).toMatchObject([{ session: { sdp: offer }, connection: { webrtc: { sdp: other } } }]);
    expect(headers).toMatchObject({ 'x-sdp-findings': 'connection-sdp-differs' });
  });

  it.each([' ', 'not an SDP', 'v=0\r\n\u0000\ud800 ñ 📞 \u2028"\\', offer.replaceAll('\r\n', '\n')])(
    'forwards an SDP whatever it holds, to the letter: %j',
    async (sdp) => {
      const { status, headers } = await make(bodyWith(sdp));
      expect(status).toBe(200);
      expect(headers).toHaveProperty('x-sdp-findings');
      expect(world.bodies()).toMatchObject([{ session: { sdp } }]);
    },
  );

  it.each([
    [graphRejection(138006, 401), 400, /has not permitted calls/],
    [graphRejection(138002, 429), 429, /limit of simultaneous calls/],
    [graphRejection(138004, 500), 502, /could not connect the call/],
    [graphRejection(138008), 400, /sdp check.* As Graph says it\. no-audio: /],
    [graphRejection(999999), 400, /^As Graph says it$/],
    [silence(), 504, /outcome is unknown.*calls_webhook/],
  ])('reports the outcome and the findings: %s is %i', async (error, status, message) => {
    world.graph = failing(error);
    const answer = await make(bodyWith(without(offer, 'm=audio')));
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ message: expect.stringMatching(message) });
    expect(answer.headers).toMatchObject({ 'x-sdp-findings': 'no-audio' });
    expect(world.requests).toHaveLength(1);
  });

  it.each<[string, object, string, string]>([
    ['to', { to: undefined }, 'to', 'required'],
    ['to', { to: '' }, 'to', 'only digits'],
    ['to', { to: `+${contact}` }, 'to', 'only digits'],
    ['to', { to: 'BR.13491208655302741918' }, 'to', 'only digits'],
    ['to', { recipient: 'BR.13491208655302741918' }, 'to', 'exclude each other'],
    ['recipient', { to: undefined, recipient: contact }, 'recipient', 'user id'],
    ['data', { biz_opaque_callback_data: 'x'.repeat(513) }, 'biz_opaque_callback_data', '512'],
    ['recording', { recording: { purpose: 'Quality' } }, 'recording.status', 'required'],
    ['recording', { recording: { status: 'ENABLED', purpose: 'x'.repeat(251) } }, 'recording.purpose', '250'],
    ['connection', { connection: {} }, 'connection.webrtc', 'required'],
    ['connection', { connection: { webrtc: { sdp: '' } } }, 'connection.webrtc.sdp', 'required'],
    ['session', { session: undefined }, 'session', 'required'],
    ['session', { session: { sdp: '' } }, 'session.sdp', 'required'],
  ])('names an invalid field with its dotted path: %s (%#)', async (_, members, field, text) => {
    const { status, json, headers } = await make({ ...bodyWith(offer), ...members });
    expect(status).toBe(422);
    expect(Object.keys(json)).toEqual(['message', 'errors']);
    expect(json.errors).toEqual({ [field]: [expect.stringContaining(text)] });
    expect(headers).not.toHaveProperty('x-sdp-findings');
    expect(world.requests).toEqual([]);
  });

  it('logs the principal and the new call, but nothing of the body', async () => {
    world.graph = () => ({
      messaging_product: 'whatsapp',
      calls: [{ id: 'wacid.HBgLMTIxODU1NTI4MjgVAgARGCAyODRQIAFRoA' }],
    });
    const number = await world.newNumber();
    await world.call(operation, number, { body: bodyWith(without(offer, 'a=setup')) });
    const who = {
      level: 'info',
      request: requestId,
      number: number.id,
      subscriber: number.id,
      user: token.user,
    };
    expect(log).toEqual([
      { ...who, event: 'call.asked', action: 'connect', sdp_findings: 'no-setup' },
      { ...who, event: 'call.started', call: callReference('wacid.HBgLMTIxODU1NTI4MjgVAgARGCAyODRQIAFRoA') },
      expect.objectContaining({ event: 'request' }),
    ]);
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`${contact}|192\\.0\\.2\\.10|F7gI|${number.phone_number_id}`));
  });
});
