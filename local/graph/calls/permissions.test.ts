import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import { phoneNumberId, startReceiver, startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { sdpOffer } from '../events/samples.ts';

const start = 1_800_000_000_000;
const day = 86_400_000;
const contact = '5511988887777';
const path = `/call-permissions/${phoneNumberId}/${contact}`;

let clock = start;
beforeEach(() => {
  clock = start;
});
const receiver = forEachTest(() => startReceiver());
const upstream = forEachTest(() => startTestUpstream({ callbackUrl: receiver.url, now: () => clock }));

const read = (query = `user_wa_id=${contact}`, phone = phoneNumberId) =>
  upstream.graph('GET', `/${phone}/call_permissions?${query}`);
const permission = async () => (await read()).json;
const set = (body: object) => upstream.control('PUT', path, body);
const connect = () =>
  upstream.graph('POST', `/${phoneNumberId}/calls`, {
    messaging_product: 'whatsapp',
    action: 'connect',
    to: contact,
    session: { sdp_type: 'offer', sdp: sdpOffer },
  });
const contactDoes = (action: string) => upstream.control('POST', `/calls/latest/${action}`);
const rejectionOf = ({ status, json }: Awaited<ReturnType<typeof read>>) => [status, json.error?.code];
const action = (json: { actions: { action_name: string }[] }, name: string) =>
  json.actions.find(({ action_name }) => action_name === name);

/** The answers to requests for permission that came as messages. */
const replies = () =>
  receiver.received
    .map(({ body }) => JSON.parse(body.toString()).entry[0].changes[0])
    .filter(({ value }) => value.messages?.[0].interactive)
    .map(({ value }) => [value.messages[0].from, value.messages[0].interactive.call_permission_reply]);

describe('a contact without a configured permission', () => {
  it('may be called for seven days from the first contact', async () => {
    expect(await permission()).toEqual({
      messaging_product: 'whatsapp',
      permission: { status: 'temporary', expiration_time: (start + 7 * day) / 1000 },
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
    clock += 7 * day - 1;
    expect((await permission()).permission.status).toBe('temporary');
    clock += 1;
    expect((await permission()).permission).toEqual({ status: 'no_permission' });
    expect(rejectionOf(await connect())).toEqual([401, 138006]);
  });
});

describe('a permission', () => {
  it.each([
    ['no_permission', {}, {}, false, true],
    ['temporary', { expiration_time: 1_800_000_100 }, { expiration_time: 1_800_000_100 }, true, true],
    ['permanent', {}, {}, true, false],
  ])('can be set to %s', async (status, request, told, mayCall, mayAsk) => {
    expect((await set({ status, ...request })).status).toBe(200);
    const json = await permission();
    expect(json.permission).toEqual({ status, ...told });
    expect(action(json, 'start_call')).toMatchObject({ can_perform_action: mayCall });
    expect(action(json, 'send_call_permission_request')).toMatchObject({ can_perform_action: mayAsk });
    expect((await connect()).status).toBe(mayCall ? 200 : 401);
  });
});

describe('the calls to a contact', () => {
  it('count for a day when they are answered', async () => {
    const usage = async () => action(await permission(), 'start_call');
    await connect();
    await contactDoes('no-answer');
    expect(await usage()).toMatchObject({ can_perform_action: true, limits: [{ current_usage: 0 }] });
    await connect();
    await contactDoes('answer');
    await contactDoes('hang-up');
    expect(await usage()).toMatchObject({ limits: [{ time_period: 'PT24H', max_allowed: 100, current_usage: 1 }] });
    clock += day;
    expect(await usage()).toMatchObject({ can_perform_action: true, limits: [{ current_usage: 0 }] });
  });
});

describe('requests for a permission', () => {
  const interactive = { type: 'call_permission_request', action: { name: 'call_permission_request' } };
  const ask = async () => {
    const message = { messaging_product: 'whatsapp', to: contact, type: 'interactive', interactive };
    const { status, json } = await upstream.graph('POST', `/${phoneNumberId}/messages`, message);
    return json.error?.code ?? status;
  };
  const usages = async () => {
    const found = action(await permission(), 'send_call_permission_request');
    return (found as unknown as { limits: { current_usage: number }[] }).limits.map((limit) => limit.current_usage);
  };

  it('are limited to one a day and two a week', async () => {
    expect(await ask()).toBe(200);
    expect(await usages()).toEqual([1, 1]);
    expect(await ask()).toBe(138009);
    clock += day;
    expect(await ask()).toBe(200);
    clock += day;
    expect(await usages()).toEqual([0, 2]);
    expect(await ask()).toBe(138009);
    expect(action(await permission(), 'send_call_permission_request')).toMatchObject({
      can_perform_action: false,
      limits: [{}, { limit_expiration_time: (start + 7 * day) / 1000 }],
    });
  });

  it('are counted from zero after a call is answered', async () => {
    await ask();
    expect(await usages()).toEqual([1, 1]);
    await connect();
    await contactDoes('answer');
    expect(await usages()).toEqual([0, 0]);
  });

  it('are rejected if the permission is permanent', async () => {
    await set({ status: 'permanent' });
    expect(await ask()).toBe(138017);
  });

  it('lead to a message with the user’s response', async () => {
    await set({ status: 'no_permission' });
    const reply = (body: object) => upstream.control('POST', `${path}/reply`, body);
    await reply({ response: 'accept' });
    expect((await permission()).permission.status).toBe('temporary');
    await reply({ response: 'accept', is_permanent: true });
    expect((await permission()).permission).toEqual({ status: 'permanent' });
    await reply({ response: 'reject' });
    expect((await permission()).permission).toEqual({ status: 'no_permission' });
    await expect.poll(replies).toEqual([
      [
        contact,
        {
          response: 'accept',
          is_permanent: false,
          expiration_timestamp: (start + 7 * day) / 1000,
          response_source: 'user_action',
        },
      ],
      [contact, { response: 'accept', is_permanent: true, response_source: 'user_action' }],
      [contact, { response: 'reject', response_source: 'user_action' }],
    ]);
    expect((await reply({ response: 'maybe' })).status).toBe(400);
  });
});
