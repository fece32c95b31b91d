import { beforeEach, describe, expect, it } from 'vitest';
import type { AccessReader } from '#shared/operations/authorize.ts';
import { send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, fakeAccess, workspace } from '#support/fakes/fake-access.ts';
import { forAllTests } from '#support/for-tests.ts';
import { failing, graphRejection, startCallWorld } from '#support/worlds/call-world.ts';
import { getCallPermission as contract } from './contracts.ts';
import { makeHandler } from './get-call-permission.ts';

const log = captureLog();

const operation = { contract, makeHandler };
const contact = '5511987654321';

const world = forAllTests(() => startCallWorld());
beforeEach(() => world.reset());

const limits = [
  { time_period: 'PT24H', max_allowed: 1, current_usage: 0 },
  { time_period: 'P7D', max_allowed: 2, current_usage: 1 },
];
const actions = [
  { action_name: 'send_call_permission_request', can_perform_action: true, limits },
  { action_name: 'start_call', can_perform_action: false, limits: [] },
];
const upstream = (permission: object) => () => ({ messaging_product: 'whatsapp', permission, actions });

const lookUp = async (query: Record<string, string> = { user_wa_id: contact }) =>
  world.call(operation, await world.newNumber(), { query });

describe('get-call-permission', () => {
  it('returns exactly the call permission object, with its members in their order', async () => {
    world.graph = upstream({ status: 'temporary', expiration_time: 1_767_225_600 });
    const number = await world.newNumber({ display_phone_number: '+55 (11) 4000-0001' });
    const { status, text } = await world.call(operation, number, { query: { user_wa_id: contact } });
    expect(status).toBe(200);
    expect(text).toBe(
      JSON.stringify({
        number: { uuid: number.id, waba_id: workspace.waba_id, user_wa_id: contact, to: '551140000001' },
        calling: {
          messaging_product: 'whatsapp',
          permission: { status: 'temporary', expiration_time: 1_767_225_600 },
          actions,
        },
      }),
    );
    expect(world.requests).toEqual([
      { method: 'GET', path: `${number.phone_number_id}/call_permissions`, query: { user_wa_id: contact } },
    ]);
  });

  it('is looked up by the user id of a person without a phone number, which the object then names', async () => {
    world.graph = upstream({ status: 'permanent' });
    const number = await world.newNumber({ display_phone_number: '+55 (11) 4000-0001' });
    const { status, json } = await world.call(operation, number, { query: { recipient: 'BR.ENT.1349a' } });
    expect(status).toBe(200);
    expect(json.number).toEqual({
      uuid: number.id,
      waba_id: workspace.waba_id,
      recipient: 'BR.ENT.1349a',
      to: '551140000001',
    });
    expect(world.requests).toMatchObject([{ query: { recipient: 'BR.ENT.1349a' } }]);
    const { json: invalid } = await lookUp({ recipient: contact });
    expect(invalid.errors).toEqual({ recipient: [expect.stringContaining('user id')] });
  });

  it.each([
    { status: 'permanent' },
    { status: 'no_permission', expiration_time: 1_767_225_600 },
    { status: 'temporary' },
  ])('has 0 as expiration_time unless the upstream says when a temporary permission ends: %j', async (permission) => {
    world.graph = upstream(permission);
    const { status } = permission;
    expect((await lookUp()).json.calling.permission).toEqual({ status, expiration_time: 0 });
  });

  it.each([
    ['none', {}, 'The user wa id field is required when recipient is absent.'],
    [
      'one beside a user id',
      { user_wa_id: contact, recipient: 'BR.1' },
      'The user wa id field and recipient exclude each other. Send only one of them.',
    ],
    ['a plus sign', { user_wa_id: `+${contact}` }, 'The user wa id field must contain only digits.'],
    ['a line break', { user_wa_id: `${contact}\n` }, 'The user wa id field must contain only digits.'],
  ])('requires the contact’s id in digits: %s', async (_, query, text) => {
    const { status, json } = await lookUp(query as Record<string, string>);
    expect(status).toBe(422);
    expect(json).toEqual({ message: text, errors: { user_wa_id: [text] } });
    expect(world.requests).toEqual([]);
  });

  it('requires a business account and returns its id', async () => {
    const number = await world.newNumber();
    const unconnected = fakeAccess({ workspace: { ...workspace, waba_id: null } });
    const access: AccessReader = async (query) => ({
      ...(await unconnected({ ...query, workspace: workspace.id })),
      number,
    });
    const handler = makeHandler({
      access,
      now: Date.now,
      mark,
      upstream: failing(new Error('Nobody asks the upstream')),
    });
    const options = { caller, pathParameters: { number: number.id } };
    const { status, json } = await send(handler, { ...options, query: { user_wa_id: contact } });
    expect(status).toBe(400);
    expect(json).toEqual({ message: expect.stringContaining('no business account') });
    expect((await send(handler, options)).status).toBe(422);
  });

  it.each([
    [graphRejection(613, 429), 429],
    [graphRejection(138000, 401), 403],
    [graphRejection(131030), 400],
    [graphRejection(190, 401), 502],
  ])('maps the upstream’s error: %s is %i', async (error, status) => {
    world.graph = failing(error);
    const answer = await lookUp();
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ 'x-upstream-error-code': String(error.code) });
  });

  it('logs no data of the contact', async () => {
    world.graph = upstream({ status: 'permanent' });
    await lookUp();
    expect(JSON.stringify(log)).not.toContain(contact);
  });
});
