import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { upstreamCallSettings } from '#shared/adapters/graph/call-settings.ts';
import { graphClient } from '#shared/adapters/graph/graph-client.ts';
import { knownCallError } from '#shared/domain/calls/error-codes.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { accessToken, phoneNumberId, startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { changeContract, contract } from './contract.ts';
import { makeHandler } from './handler.ts';

const log = captureLog();

let owners: ApiWorld;
let members: ApiWorld;
let numbers: Map<ApiWorld, PhoneNumber>;
let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
beforeAll(async () => {
  [owners, members] = await Promise.all([startApiWorld('owner'), startApiWorld('member')]);
  const both = [owners, members];
  // Calling is off here, which does not matter to the settings.
  const create = (world: ApiWorld) => world.newNumber({ phone_number_id: phoneNumberId, calling_enabled: false });
  numbers = new Map(await Promise.all(both.map(async (world) => [world, await create(world)] as const)));
});
beforeEach(async () => {
  upstream = await startTestUpstream();
  log.length = 0;
});
afterEach(() => upstream.close());
afterAll(() => Promise.all([owners.close(), members.close()]));

function numberOf(world: ApiWorld): PhoneNumber {
  const number = numbers.get(world);
  if (number === undefined) throw new Error('The world has no number');
  return number;
}

const make = (dependencies: WrapperDependencies) => {
  const settings = { baseUrl: upstream.url, version: 'v25.0', timeoutMs: 10_000, knownErrors: knownCallError };
  const client = () => graphClient(settings, async () => accessToken, Date.now() + 10_000, Date.now);
  return makeHandler({ ...dependencies, upstream: () => upstreamCallSettings(client()) });
};

const read = (world: ApiWorld = owners) => world.call({ contract, makeHandler: make }, numberOf(world));

const change = (body: unknown, world: ApiWorld = owners) =>
  world.call({ contract: changeContract, makeHandler: make }, numberOf(world), { body });

const sip = { status: 'ENABLED', servers: [{ hostname: 'sip.example.com', port: 5061 }] };

describe('the call settings of a number', () => {
  it('are those of the platform, without its other settings', async () => {
    const { status, json } = await read(members);
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'ENABLED', call_icon_visibility: 'DEFAULT', sip: { status: 'DISABLED' } });
    expect(json).not.toHaveProperty('storage_configuration');
  });

  it('are changed by owners, even while calling is off here, and what is absent stays', async () => {
    const { status, json } = await change({ callback_permission_status: 'ENABLED' });
    expect({ status, json }).toEqual({ status: 200, json: { success: true } });
    expect((await read()).json).toMatchObject({ status: 'ENABLED', callback_permission_status: 'ENABLED' });
  });

  it('cannot be changed by members who are not owners', async () => {
    const { status, headers } = await change({ status: 'DISABLED' }, members);
    expect({ status, code: headers['x-error-code'] }).toEqual({ status: 403, code: 'workspace_not_owner' });
    expect((await read()).json.status).toBe('ENABLED');
  });

  it('show no password, not even one that the platform sends unasked', async () => {
    await change({ sip });
    expect((await read()).json.sip).toEqual(sip);
    const graph = async () => ({
      calling: { sip: { servers: [{ hostname: 'a.example', sip_user_password: 's3cr3t' }] } },
    });
    const shown = await upstreamCallSettings(graph).read(phoneNumberId);
    expect(shown).toEqual({ sip: { servers: [{ hostname: 'a.example' }] } });
  });

  it.each([
    { call_hours: null },
    { sip: null },
    { sip: { servers: null } },
    // Meta's pages calling/call-settings, "Response with calling restrictions", and calling/sip.
    {
      restrictions: {
        restrictions_list: [
          { type: 'RESTRICTED_BUSINESS_INITIATED_CALLING', reason: 'Disliked calls', expiration: 1_754_072_386 },
        ],
      },
    },
    { sip: { status: 'ENABLED', servers: [{ app_id: '634974688087057', hostname: 'sip.example.com' }] } },
  ])('the call settings of a number may have members that are null or unknown: %j', async (calling) => {
    const graph = { upstream: () => upstreamCallSettings(async () => ({ calling })) };
    const makeWith = (dependencies: WrapperDependencies) => makeHandler({ ...dependencies, ...graph });
    const { status, json } = await owners.call({ contract, makeHandler: makeWith }, numberOf(owners));
    expect({ status, json }).toEqual({ status: 200, json: calling });
  });

  it('leave a line in the log that names the user and the members, but no value and no unknown member', async () => {
    await change({ sip, 'a member that Meta has not': 1 });
    expect(log).toContainEqual(
      expect.objectContaining({ event: 'call-settings.changed', user: expect.any(String), members: 'sip' }),
    );
    expect(JSON.stringify(log)).not.toContain('sip.example.com');
  });
});

describe('a change of call settings is rejected', () => {
  it('with the words of the platform, which name the member', async () => {
    const { status, headers, json } = await change({ call_hours: { status: 'ENABLED', timezone_id: 'Mars/Olympus' } });
    expect(status).toBe(400);
    expect(headers['x-upstream-error-code']).toBe('100');
    expect(json.message).toContain('calling.call_hours.timezone_id');
  });

  it.each([
    [{ calling: { status: 'ENABLED' } }, 'calling', /does not exist/],
    [{ status: true }, 'status', /string/],
    [{ sip: 'ENABLED' }, 'sip', /object/],
  ])('before the platform sees it: %j', async (body, field, message) => {
    const { status, json } = await change(body);
    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: { [field]: [expect.stringMatching(message)] },
    });
  });
});

it('get-call-settings says that the platform does not know the number', async () => {
  const unknown = await owners.newNumber({ phone_number_id: '1' });
  const { status, headers } = await owners.call({ contract, makeHandler: make }, unknown);
  expect({ status, code: headers['x-upstream-error-code'] }).toEqual({ status: 400, code: '100' });
});
