import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startApiWorld } from '#support/worlds/api-world.ts';
import { getNumber as contract } from './contracts.ts';
import { makeHandler } from './get-number.ts';

captureLog();

const world = forAllTests(() => startApiWorld());

describe('get-number', () => {
  it('shows an active number to the members of its workspace', async () => {
    const number = await world.newNumber({ calling_enabled: true });
    const { status, json } = await world.call({ contract, makeHandler }, number);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: number.id,
      workspace: number.workspace,
      display_phone_number: '+55 11 4000-0001',
      phone_number_id: number.phone_number_id,
      calling_enabled: true,
      created_at: '1970-01-01T00:00:00.000000Z',
    });
  });

  it('shows the number’s own switch for calls, whatever the workspace’s switch is', async () => {
    const number = await world.newNumber({ calling_enabled: true });
    await world.setCallingOfWorkspace(false);
    const { json } = await world.call({ contract, makeHandler }, number);
    await world.setCallingOfWorkspace(true);
    expect(json.calling_enabled).toBe(true);
  });

  it('does not show a number that is not active or belongs to others', async () => {
    const inactive = await world.newNumber({ active: false });
    const foreign = await world.newNumber({ workspace: newId() });
    for (const number of [inactive, foreign, { id: newId() }]) {
      expect((await world.call({ contract, makeHandler }, number)).status).toBe(404);
    }
  });
});
