import { describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import {
  phoneNumberId,
  silentPhoneNumberId,
  startReceiver,
  startTestUpstream,
} from '#support/worlds/simulated-graph.ts';
import { sdpOffer } from '../events/samples.ts';

const receiver = forEachTest(() => startReceiver());
const upstream = forEachTest(() => startTestUpstream({ callbackUrl: receiver.url }));

const read = async (id = phoneNumberId) => (await upstream.graph('GET', `/${id}/settings`)).json.calling;
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

  it('are announced when they change', async () => {
    await change({ status: 'ENABLED' });
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

describe('Graph rejects', () => {
  it.each<[string, unknown, string]>([
    ['settings that are not an object', 'on', 'calling'],
    ['another status', { status: 'enabled' }, 'calling.status'],
    ['hours without a time zone', { call_hours: { ...hours, timezone_id: undefined } }, 'timezone_id'],
    ['an unknown time zone', { call_hours: { ...hours, timezone_id: 'Mars/Olympus' } }, 'timezone_id'],
    ['SIP without a server', { sip: { status: 'ENABLED' } }, 'servers'],
  ])('%s', async (_, calling, named) => {
    const { status, json } = await change(calling);
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: 100 });
    expect(json.error.message).toContain(named);
  });
});
