import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  phoneNumberId,
  silentPhoneNumberId,
  startReceiver,
  startTestUpstream,
} from '#support/worlds/simulated-graph.ts';
import { sdpOffer } from '../events/samples.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
beforeEach(async () => {
  receiver = await startReceiver();
  upstream = await startTestUpstream({ callbackUrl: receiver.url });
});
afterEach(() => Promise.all([upstream.close(), receiver.close()]));

const read = async (id = phoneNumberId, query = '') =>
  (await upstream.graph('GET', `/${id}/settings${query}`)).json.calling;
const change = (calling: unknown, id = phoneNumberId) => upstream.graph('POST', `/${id}/settings`, { calling });
const call = (id: string) =>
  upstream.graph('POST', `/${id}/calls`, {
    messaging_product: 'whatsapp',
    action: 'connect',
    to: '5511988887777',
    session: { sdp_type: 'offer', sdp: sdpOffer },
  });

const hours = {
  status: 'ENABLED',
  timezone_id: 'America/Manaus',
  weekly_operating_hours: [
    { day_of_week: 'MONDAY', open_time: '0800', close_time: '1200' },
    { day_of_week: 'MONDAY', open_time: '1300', close_time: '1700' },
  ],
  holiday_schedule: [{ date: '2026-12-25', start_time: '0000', end_time: '2359' }],
};
const sip = { status: 'ENABLED', servers: [{ hostname: 'sip.example.com' }] };

describe('the settings of a phone number', () => {
  it('say whether calling is on', async () => {
    expect(await read()).toMatchObject({ status: 'ENABLED', sip: { status: 'DISABLED' } });
    expect(await read(silentPhoneNumberId)).toMatchObject({ status: 'DISABLED' });
    expect((await upstream.graph('GET', '/1/settings')).json.error.code).toBe(100);
  });

  it('turn calling on and off', async () => {
    expect((await call(silentPhoneNumberId)).json.error.code).toBe(138000);
    expect((await change({ status: 'ENABLED' }, silentPhoneNumberId)).json).toEqual({ success: true });
    expect((await call(silentPhoneNumberId)).status).toBe(200);
    await change({ status: 'DISABLED' });
    expect((await call(phoneNumberId)).json.error.code).toBe(138000);
  });

  it('change only where the request says so, but call hours as a whole', async () => {
    await change({ call_hours: hours, callback_permission_status: 'ENABLED' });
    const { holiday_schedule: _, ...withoutHolidays } = hours;
    await change({ call_hours: withoutHolidays });
    expect(await read()).toMatchObject({
      status: 'ENABLED',
      callback_permission_status: 'ENABLED',
      call_hours: { ...hours, holiday_schedule: [] },
    });
  });

  it('show the password of SIP only if it is asked for', async () => {
    await change({ sip });
    const server = { hostname: 'sip.example.com', port: 5061 };
    expect((await read()).sip).toEqual({ status: 'ENABLED', servers: [server] });
    const [shown] = (await read(phoneNumberId, '?include_sip_credentials=true')).sip.servers;
    expect(shown).toEqual({ ...server, sip_user_password: expect.stringMatching(/^[\w-]{20,}$/) });
    await change({ sip: { status: 'DISABLED' } });
    expect((await read()).sip).toEqual({ status: 'DISABLED', servers: [server] });
  });

  it('are announced when one of the main ones changes', async () => {
    await change({ status: 'ENABLED' });
    await change({ call_hours: hours });
    await change({ callback_permission_status: 'ENABLED' });
    await expect.poll(() => receiver.received.length).toBe(1);
    const [{ changes }] = JSON.parse(String(receiver.received[0]?.body)).entry;
    expect(changes).toEqual([
      {
        field: 'account_settings_update',
        value: expect.objectContaining({
          type: 'phone_number_settings',
          phone_number_settings: {
            phone_number_id: phoneNumberId,
            calling: expect.objectContaining({ status: 'ENABLED', callback_permission_status: 'ENABLED' }),
          },
        }),
      },
    ]);
  });
});

const [monday] = hours.weekly_operating_hours;
const week = (...weekly_operating_hours: unknown[]) => ({ call_hours: { ...hours, weekly_operating_hours } });

describe('Graph rejects', () => {
  it.each<[string, unknown, string]>([
    ['settings that are not an object', 'on', 'calling'],
    ['another status', { status: 'enabled' }, 'calling.status'],
    ['another visibility', { call_icon_visibility: 'HIDDEN' }, 'calling.call_icon_visibility'],
    ['a country in words', { call_icons: { restrict_to_user_countries: ['Brazil'] } }, 'call_icons'],
    ['hours without a time zone', { call_hours: { ...hours, timezone_id: undefined } }, 'timezone_id'],
    ['an unknown time zone', { call_hours: { ...hours, timezone_id: 'Mars/Olympus' } }, 'timezone_id'],
    ['a time with a colon', week({ ...monday, open_time: '08:00' }), 'open_time'],
    ['a day that closes before it opens', week({ ...monday, close_time: '0700' }), 'must open before'],
    ['hours that overlap', week(monday, { ...monday, open_time: '1100', close_time: '1500' }), 'overlap'],
    [
      'a third opening on a day',
      week(monday, ...['1300', '1400'].map((at) => ({ ...monday, open_time: at, close_time: `${at.slice(0, 2)}30` }))),
      'more than 2',
    ],
    ['a date that does not exist', { call_hours: { ...hours, holiday_schedule: [{ date: '2026-02-30' }] } }, 'date'],
    [
      'too many holidays',
      { call_hours: { ...hours, holiday_schedule: Array(21).fill(hours.holiday_schedule[0]) } },
      'more than 20',
    ],
    ['SIP without a server', { sip: { status: 'ENABLED' } }, 'servers'],
    ['two servers of SIP', { sip: { servers: [...sip.servers, ...sip.servers] } }, 'more than one'],
    ['an address in place of a host name', { sip: { servers: [{ hostname: '192.0.2.1' }] } }, 'hostname'],
    ['another protocol', { srtp_key_exchange_protocol: 'ZRTP' }, 'srtp_key_exchange_protocol'],
    ['another codec', { audio: { additional_codecs: ['G729'] } }, 'additional_codecs'],
    [
      'too long a wait for the voicemail',
      { voicemail: { audio: { default: { timeout_seconds: 31 } } } },
      'voicemail.audio.default.timeout_seconds',
    ],
  ])('%s', async (_, calling, named) => {
    const { status, json } = await change(calling);
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: 100 });
    expect(json.error.message).toContain(named);
  });

  it('a request without calling', async () => {
    const { json } = await upstream.graph('POST', `/${phoneNumberId}/settings`, {});
    expect(json.error).toMatchObject({ code: 100, message: expect.stringContaining('calling') });
  });
});
