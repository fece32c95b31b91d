import { describe, expect, it, vi } from 'vitest';
import { type AccessData, caller, fakeAccess, token, workspace } from '#support/fakes/fake-access.ts';
import { draft, now } from '#support/fakes/fake-flow-context.ts';
import { type Access, type AccessReader, authorize } from './authorize.ts';
import type { Contract } from './contract.ts';

const number = '018f0000-0000-7000-8000-0000000000b1';

/** Returns the resources that a caller with a valid token gets for a request with these path parameters. */
function ask(
  as: Contract['caller'],
  path: string,
  pathParameters: Record<string, string> | undefined,
  read = fakeAccess(),
) {
  const contract = { caller: as, path } as Contract;
  const event = { pathParameters, headers: { authorization: caller } };
  return authorize(contract, event as never, read, () => now);
}

const onWorkspace = (pathParameters?: Record<string, string>, data: Partial<AccessData> = {}) =>
  ask('workspace-member', '/v2/workspaces/{workspace}/flows', pathParameters, fakeAccess({ flows: [draft], ...data }));

describe('an authorised request', () => {
  it('gets the user, the role and the workspace, and a Flow only if its path names one', async () => {
    const onItsWorkspace = { user: token.user, role: 'owner', workspace };
    expect(await onWorkspace({ workspace: workspace.id, flow: draft.id })).toEqual(onItsWorkspace);
    const path = '/v2/workspaces/{workspace}/flows/{flow}';
    const read = fakeAccess({ flows: [draft] });
    expect(await ask('workspace-member', path, { workspace: workspace.id, flow: draft.id }, read)).toEqual({
      ...onItsWorkspace,
      flow: draft,
    });
  });

  it('gets only the user if any user may make it', async () => {
    expect(await ask('user', '/v2/workspaces', undefined)).toEqual({ user: token.user });
    const withoutToken = fakeAccess({ token: undefined });
    await expect(ask('user', '/v2/workspaces', undefined, withoutToken)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  it('is looked up by its token and those ids of its path that are UUIDs', async () => {
    const read = vi.fn<AccessReader>(fakeAccess());
    await ask('workspace-member', '', { workspace: workspace.id, flow: 'x', number }, read);
    expect(read).toHaveBeenCalledExactlyOnceWith({
      tokenHash: token.hash,
      workspace: workspace.id,
      flow: undefined,
      number,
    });
  });
});

describe('a request for something that does not exist', () => {
  it.each([
    ['a path without parameters', undefined],
    ['an id that is not a UUID', { workspace: 'x' }],
    ['another workspace', { workspace: number }],
  ])('is rejected as not found: %s', async (_, pathParameters) => {
    await expect(onWorkspace(pathParameters)).rejects.toMatchObject({ code: 'workspace.not-found' });
  });

  it.each(['number-user', 'number-owner', 'number-caller'] as const)(
    'is rejected as not found if the number is unknown (%s)',
    async (as) => {
      const read: AccessReader = async (query) => ({ ...(await fakeAccess()(query)), number: undefined }) as Access;
      const asked = ask(as, '/v2/{number}/calls', { number, workspace: workspace.id }, read);
      await expect(asked).rejects.toMatchObject({ code: 'number.not-found' });
    },
  );
});
