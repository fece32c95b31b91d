import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { WorkspaceStore } from '#shared/domain/accounts/workspace-store.ts';
import { startTestTable, type TestTable } from '#test/support/dynamodb.ts';
import { workspaceStore } from './workspaces.ts';

let dynamodb: TestTable;
let workspaces: WorkspaceStore;

beforeAll(async () => {
  dynamodb = await startTestTable();
  workspaces = workspaceStore(dynamodb.table);
});
afterAll(() => dynamodb.close());

const newWorkspace = (): Workspace => ({ id: newId(), name: 'Acme', waba_id: '123', created_at: 1_700_000_000_000 });

async function createWorkspace(): Promise<Workspace> {
  const workspace = newWorkspace();
  await workspaces.create(workspace);
  return workspace;
}

describe('workspaces', () => {
  it('reads a workspace as it was created, without the attributes of the table', async () => {
    const workspace = await createWorkspace();
    expect(await workspaces.get(workspace.id)).toEqual(workspace);
  });

  it('finds no workspace that was not created', async () => {
    expect(await workspaces.get(newId())).toBeUndefined();
  });

  it('keeps the existing workspace if its id is created a second time', async () => {
    const workspace = await createWorkspace();
    await expect(workspaces.create({ ...workspace, name: 'Other' })).rejects.toThrow();
    expect(await workspaces.get(workspace.id)).toEqual(workspace);
  });

  it('lists workspaces in the order in which they were created', async () => {
    const first = await createWorkspace();
    const second = await createWorkspace();
    const ids = (await workspaces.list()).map(({ id }) => id);
    expect(ids.filter((id) => id === first.id || id === second.id)).toEqual([first.id, second.id]);
  });

  it('sets and clears the business account and nothing else', async () => {
    const workspace = await createWorkspace();
    expect(await workspaces.setBusinessAccount(workspace.id, null)).toBe(true);
    expect(await workspaces.get(workspace.id)).toEqual({ ...workspace, waba_id: null });
    expect(await workspaces.setBusinessAccount(workspace.id, '456')).toBe(true);
    expect(await workspaces.get(workspace.id)).toEqual({ ...workspace, waba_id: '456' });
  });

  it('does not create an unknown workspace when it sets its business account', async () => {
    const unknown = newId();
    expect(await workspaces.setBusinessAccount(unknown, '456')).toBe(false);
    expect(await workspaces.get(unknown)).toBeUndefined();
  });

  it('rejects an id that could reach into another key', async () => {
    await expect(async () => workspaces.get('a#b')).rejects.toThrow(TypeError);
  });
});

describe('members', () => {
  it('lists the members of one workspace and of no other', async () => {
    const [one, other] = [await createWorkspace(), await createWorkspace()];
    const [owner, member] = [newId(), newId()];
    await workspaces.putMember({ workspace: one.id, user: owner, role: 'owner' });
    await workspaces.putMember({ workspace: one.id, user: member, role: 'member' });
    await workspaces.putMember({ workspace: other.id, user: owner, role: 'member' });
    expect(await workspaces.listMembers(one.id)).toEqual([
      { workspace: one.id, user: owner, role: 'owner' },
      { workspace: one.id, user: member, role: 'member' },
    ]);
  });

  it('replaces the role of a member', async () => {
    const { id } = await createWorkspace();
    const user = newId();
    await workspaces.putMember({ workspace: id, user, role: 'owner' });
    await workspaces.putMember({ workspace: id, user, role: 'member' });
    expect(await workspaces.listMembers(id)).toEqual([{ workspace: id, user, role: 'member' }]);
  });

  it('removes a member once', async () => {
    const { id } = await createWorkspace();
    const user = newId();
    await workspaces.putMember({ workspace: id, user, role: 'owner' });
    expect(await workspaces.removeMember(id, user)).toBe(true);
    expect(await workspaces.removeMember(id, user)).toBe(false);
    expect(await workspaces.listMembers(id)).toEqual([]);
  });

  it('leaves the workspace itself when all members are removed', async () => {
    const workspace = await createWorkspace();
    const user = newId();
    await workspaces.putMember({ workspace: workspace.id, user, role: 'owner' });
    await workspaces.removeMember(workspace.id, user);
    expect(await workspaces.get(workspace.id)).toEqual(workspace);
  });
});
