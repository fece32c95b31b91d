import { describe, expect, it } from 'vitest';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { type CallSettingsWorld, startCallSettingsWorld } from '#support/worlds/call-settings-world.ts';
import { phoneNumberId } from '#support/worlds/simulated-graph.ts';
import { updateCallSettings as contract } from './contracts.ts';
import { makeHandler } from './update-call-settings.ts';

const log = logOfEachTest();

const owners = forAllTests(() => startCallSettingsWorld('owner'));

function change(body: unknown, { call, number, upstream }: CallSettingsWorld = owners) {
  return call({ contract, makeHandler: (dependencies) => makeHandler({ ...dependencies, upstream }) }, number, {
    body,
  });
}

describe('update-call-settings', () => {
  it('changes the settings for owners, even while calling is off here, and what is absent stays', async () => {
    const { status, json } = await change({ callback_permission_status: 'ENABLED' });
    expect({ status, json }).toEqual({ status: 200, json: { success: true } });
    expect(await owners.settings.read(phoneNumberId)).toMatchObject({
      status: 'ENABLED',
      callback_permission_status: 'ENABLED',
    });
  });

  it('changes nothing for members who are not owners', async () => {
    const members = await startCallSettingsWorld('member');
    const { status, headers } = await change({ status: 'DISABLED' }, members);
    expect({ status, code: headers['x-error-code'] }).toEqual({ status: 403, code: 'workspace_not_owner' });
    expect(await members.settings.read(phoneNumberId)).toMatchObject({ status: 'ENABLED' });
    await members.close();
  });

  it('leaves a line in the log that names the user and the members, but no value and no unknown member', async () => {
    const sip = { status: 'ENABLED', servers: [{ hostname: 'sip.example.com', port: 5061 }] };
    await change({ sip, 'a member that Meta has not': 1 });
    expect(log).toContainEqual(
      expect.objectContaining({ event: 'call-settings.changed', user: expect.any(String), members: 'sip' }),
    );
    expect(JSON.stringify(log)).not.toContain('sip.example.com');
  });

  it('rejects a change with the words of the platform, which name the member', async () => {
    const { status, headers, json } = await change({ call_hours: { status: 'ENABLED', timezone_id: 'Mars/Olympus' } });
    expect(status).toBe(400);
    expect(headers['x-upstream-error-code']).toBe('100');
    expect(json.message).toContain('calling.call_hours.timezone_id');
  });

  it.each([
    [{ calling: { status: 'ENABLED' } }, 'calling', /does not exist/],
    [{ status: true }, 'status', /string/],
    [{ sip: 'ENABLED' }, 'sip', /object/],
  ])('rejects a change before the platform sees it: %j', async (body, field, message) => {
    const { status, json } = await change(body);
    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: { [field]: [expect.stringMatching(message)] },
    });
  });
});
