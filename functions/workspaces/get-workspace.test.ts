import { describe, expect, it } from 'vitest';
import type { Role } from '#shared/accounts/workspace.ts';
import { send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, fakeAccess, workspace } from '#support/fakes/fake-access.ts';
import { makeHandler } from './get-workspace.ts';

captureLog();

const get = (role: Role | undefined, id = workspace.id) =>
  send(makeHandler({ access: fakeAccess({ role }), now: () => 0, mark }), {
    caller,
    pathParameters: { workspace: id },
  });

describe('get-workspace', () => {
  it.each(['owner', 'member'] as const)('shows the workspace to its %s, with the role', async (role) => {
    const { status, json } = await get(role);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: workspace.id,
      name: 'Lucky Shrub',
      waba_id: '102290129340398',
      role,
      calling_enabled: true,
      created_at: '1970-01-01T00:00:00.000000Z',
    });
  });

  it('is forbidden to others, and not found if it does not exist', async () => {
    expect((await get(undefined)).status).toBe(403);
    expect((await get('owner', '018f0000-0000-7000-8000-00000000ffff')).status).toBe(404);
  });
});
