import { describe, expect, it } from 'vitest';
import { upstreamCallSettings } from '#shared/calls/calls-graph.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startCallSettingsWorld } from '#support/worlds/call-settings-world.ts';
import { phoneNumberId } from '#support/worlds/simulated-graph.ts';
import { getCallSettings as contract } from './contracts.ts';
import { makeHandler } from './get-call-settings.ts';

captureLog();

const world = forAllTests(() => startCallSettingsWorld('member'));

function read(number: PhoneNumber = world.number, upstream = world.upstream) {
  return world.call({ contract, makeHandler: (dependencies) => makeHandler({ ...dependencies, upstream }) }, number);
}

describe('get-call-settings', () => {
  it('shows the settings of the platform, without its other settings', async () => {
    const { status, json } = await read();
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'ENABLED', call_icon_visibility: 'DEFAULT', sip: { status: 'DISABLED' } });
    expect(json).not.toHaveProperty('storage_configuration');
  });

  it('shows no password, not even one that the platform sends unasked', async () => {
    const sip = { status: 'ENABLED', servers: [{ hostname: 'sip.example.com', port: 5061 }] };
    await world.settings.change(phoneNumberId, { sip });
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
  ])('shows members that are null or unknown: %j', async (calling) => {
    const { status, json } = await read(world.number, () => upstreamCallSettings(async () => ({ calling })));
    expect({ status, json }).toEqual({ status: 200, json: calling });
  });

  it('says that the platform does not know the number', async () => {
    const { status, headers } = await read(await world.newNumber({ phone_number_id: '1' }));
    expect({ status, code: headers['x-upstream-error-code'] }).toEqual({ status: 400, code: '100' });
  });
});
