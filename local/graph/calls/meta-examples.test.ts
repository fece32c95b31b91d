import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phoneNumberId, startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { sdpAnswer, sdpOffer } from '../events/samples.ts';

/**
 * The requests and responses on Meta's pages about calls: their members, with SDP, ids and texts of our own. Each is
 * named by its page, below https://developers.facebook.com/documentation/business-messaging/whatsapp/, as of July 2026,
 * and https://github.com/vaam-apps/meta-whatsapp-rs, crates/meta-whatsapp-client/src/calling/tests.rs has most of them.
 */

let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
beforeEach(async () => {
  upstream = await startTestUpstream();
});
afterEach(() => upstream.close());

const contact = '14085551234';
const userId = 'US.13491208655302741918';
const product = { messaging_product: 'whatsapp' };
const offer = { sdp_type: 'offer', sdp: sdpOffer };
const answer = { sdp_type: 'answer', sdp: sdpAnswer };
const act = (action: string, members: object) =>
  upstream.graph('POST', `/${phoneNumberId}/calls`, { ...product, action, ...members });

describe('calls on Meta’s pages', () => {
  it.each<[page: string, members: object]>([
    ['calling/reference, Initiate call', { to: contact, recipient: userId, biz_opaque_callback_data: '0fS5cePMok' }],
    ['calling/business-initiated-calls', { to: contact }],
    ['business-scoped-user-ids, calls', { recipient: userId }],
    ['business-scoped-user-ids, calls of a portfolio', { recipient: 'US.ENT.11815799212886844830' }],
    [
      'calling/call-recording and calling/call-transcription',
      {
        to: contact,
        recording: { status: 'ENABLED', purpose: 'QUALITY', announcement_language: 'en' },
        transcription: { status: 'ENABLED', purpose: 'QUALITY' },
      },
    ],
  ])('connect: %s', async (_, members) => {
    const { status, json } = await act('connect', { session: offer, ...members });
    expect({ status, json }).toEqual({
      status: 200,
      json: { ...product, calls: [{ id: expect.stringMatching(/^wacid\./) }] },
    });
  });

  it.each<[page: string, ...requests: [action: string, members: object][]]>([
    [
      'calling/user-initiated-calls, Pre-accept, Accept and Terminate',
      ['pre_accept', { session: answer }],
      ['accept', { session: answer, biz_opaque_callback_data: 'random_string' }],
      ['terminate', {}],
    ],
    ['calling/user-initiated-calls, Accept', ['accept', { session: answer }]],
    ['calling/user-initiated-calls, Reject', ['reject', {}]],
  ])('of a contact: %s', async (_, ...requests) => {
    const { id } = (await upstream.control('POST', '/calls', { from: contact })).json;
    for (const [action, members] of requests) {
      expect((await act(action, { call_id: id, ...members })).json).toEqual({ ...product, success: true });
    }
  });

  it('permission: calling/user-call-permissions', async () => {
    const expires = Math.floor(Date.now() / 1000) + 86_400;
    await upstream.control('PUT', `/call-permissions/${phoneNumberId}/${contact}`, {
      status: 'temporary',
      expiration_time: expires,
    });
    const { json } = await upstream.graph('GET', `/${phoneNumberId}/call_permissions?user_wa_id=${contact}`);
    expect(json).toEqual({
      ...product,
      permission: { status: 'temporary', expiration_time: expires },
      actions: [
        {
          action_name: 'send_call_permission_request',
          can_perform_action: true,
          limits: [
            { time_period: 'PT24H', max_allowed: 1, current_usage: 0 },
            { time_period: 'P7D', max_allowed: 2, current_usage: 0 },
          ],
        },
        {
          action_name: 'start_call',
          can_perform_action: true,
          limits: [{ time_period: 'PT24H', max_allowed: 100, current_usage: 0 }],
        },
      ],
    });
  });
});

const everything = {
  status: 'ENABLED',
  call_icon_visibility: 'DEFAULT',
  call_icons: { restrict_to_user_countries: ['US', 'BR'] },
  call_hours: {
    status: 'ENABLED',
    timezone_id: 'America/Manaus',
    weekly_operating_hours: [
      { day_of_week: 'MONDAY', open_time: '0400', close_time: '1020' },
      { day_of_week: 'TUESDAY', open_time: '0108', close_time: '1020' },
    ],
    holiday_schedule: [{ date: '2026-01-01', start_time: '0000', end_time: '2359' }],
  },
  callback_permission_status: 'ENABLED',
  sip: {
    status: 'ENABLED',
    servers: [{ hostname: 'sip.example.com', port: 5061, request_uri_user_params: { KEY1: 'VALUE1', KEY2: 'VALUE2' } }],
  },
  audio: { additional_codecs: ['PCMA', 'PCMU'] },
  voicemail: {
    status: 'ENABLED',
    triggers: ['REJECT', 'TIMEOUT'],
    audio: { default: { announcement_media_id: 938884519013664, timeout_seconds: 20 } },
  },
};

describe('call settings on Meta’s pages', () => {
  const settings = `/${phoneNumberId}/settings`;
  const change = (calling: object) => upstream.graph('POST', settings, { calling });
  const read = async () => (await upstream.graph('GET', settings)).json.calling;

  it('everything: calling/call-settings', async () => {
    expect((await change(everything)).json).toEqual({ success: true });
    expect(await read()).toMatchObject(everything);
  });

  it('no server: calling/sip, Reset SIP password', async () => {
    await change(everything);
    expect((await change({ sip: { status: 'DISABLED', servers: [] } })).json).toEqual({ success: true });
    expect((await read()).sip).toEqual({ status: 'DISABLED', servers: [] });
  });
});
