import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import type { Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { awsError } from '#support/aws/aws-error.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { scanItems } from '#support/aws/scan-items.ts';
import { watchTable } from '#support/aws/watch-table.ts';
import { forAllTests } from '#support/for-tests.ts';
import { listOwnApps } from './credentials-store.ts';
import type { Workspace } from './workspace.ts';
import { type WorkspaceStore, workspaceStore } from './workspace-store.ts';

let workspaces: WorkspaceStore;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  workspaces = workspaceStore(dynamodb.table);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const newWorkspace = (): Workspace => ({ id: newId(), name: 'Acme', waba_id: '123', created_at: 1_700_000_000_000 });

async function createWorkspace(): Promise<Workspace> {
  const workspace = newWorkspace();
  await workspaces.create(workspace);
  return workspace;
}

/** The keys of all items that belong to a workspace, whatever they are for. */
async function keysOf(workspace: string) {
  const items = await Array.fromAsync(scanItems(dynamodb.table, {}));
  return items
    .map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }))
    .filter((key) => [key.pk, key.sk].some((text) => text.includes(workspace)));
}

describe('workspaces', () => {
  it('reads a workspace as it was created, without the attributes of the table', async () => {
    const workspace = await createWorkspace();
    expect(await workspaces.get(workspace.id)).toEqual(workspace);
  });

  it('says which workspaces have credentials of their own', async () => {
    const [own, former, never] = await Promise.all([createWorkspace(), createWorkspace(), createWorkspace()]);
    for (const { id } of [own, former]) expect(await workspaces.setOwnCredentials(id, true)).toBe(true);
    expect(await workspaces.setOwnCredentials(former.id, false)).toBe(true);
    expect(await workspaces.setOwnCredentials(newId(), true)).toBe(false);
    expect(await listOwnApps(dynamodb.table)).toEqual([{ ...own, own_credentials: true }]);
    expect(await workspaces.get(own.id)).toEqual({ ...own, own_credentials: true });
    expect([await workspaces.get(former.id), await workspaces.get(never.id)]).toEqual([former, never]);
  });

  it('keeps the existing workspace if its id is created a second time', async () => {
    const workspace = await createWorkspace();
    await targetStore(dynamodb.table).setUrls(workspace.id, { webhook: 'https://example.com/hook' });
    const before = await Promise.all([
      targetStore(dynamodb.table).read(workspace.id),
      secretStore(dynamodb.table).get(workspace.id),
    ]);
    await expect(workspaces.create({ ...workspace, name: 'Other' })).rejects.toThrow('There is another workspace');
    expect(await workspaces.get(workspace.id)).toEqual(workspace);
    expect(await targetStore(dynamodb.table).read(workspace.id)).toEqual(before[0]);
    expect(await secretStore(dynamodb.table).get(workspace.id)).toEqual(before[1]);
  });

  it('does not mistake a transaction conflict for another workspace', async () => {
    const conflict = awsError('TransactionCanceledException', 'Transaction cancelled', {
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    });
    vi.spyOn(dynamodb.table.client, 'send').mockRejectedValueOnce(conflict);
    await expect(workspaces.create({ ...newWorkspace(), waba_id: null })).rejects.toBe(conflict);
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
});

/** The same table, whose calls pass through `watch`. */
function watched(watch: Parameters<typeof watchTable>[1]): Table {
  const table: Table = { ...dynamodb.table, client: Object.create(dynamodb.table.client) };
  watchTable(table, watch);
  return table;
}

describe('a workspace as a subscriber', () => {
  it('is created with the workspace, a target and a secret, in one transaction', async () => {
    const workspace = { ...newWorkspace(), waba_id: null };
    const send = vi.spyOn(dynamodb.table.client, 'send');
    await workspaces.create(workspace);
    expect(send.mock.calls.map(([command]) => command)).toEqual([expect.any(TransactWriteCommand)]);
    const { id } = workspace;
    const created = [keys.workspace(id), keys.workspaceSubscriber(id), keys.target(id, 'webhook'), keys.secrets(id)];
    expect(await keysOf(id)).toHaveLength(created.length);
    expect(await keysOf(id)).toEqual(expect.arrayContaining(created));
    const untouched = { version: 0, breaker: { failures: 0 } };
    expect(await targetStore(dynamodb.table).read(id)).toEqual({
      subscriber: { id, workspace: id, active: true },
      targets: { webhook: untouched, secondary_webhook: untouched, calls_webhook: untouched },
    });
    expect(await secretStore(dynamodb.table).get(id)).toEqual({
      current: expect.stringMatching(/^whsec_.{40,}$/),
    });
    expect(await numberStore(dynamodb.table).get(id)).toBeUndefined();
  });

  it('is deleted with the workspace, which stays until everything else is gone', async () => {
    const create = async () => {
      const { id } = await createWorkspace();
      await workspaces.putMember({ workspace: id, user: newId(), role: 'owner' });
      return id;
    };
    let calls = 0;
    const counted = watched((command, send) => {
      calls++;
      return send(command);
    });
    await workspaceStore(counted).delete(await create());
    // Four reads, three writes for the business account, a member, the three items of the subscriber, and the workspace.
    expect(calls).toBe(12);
    for (let failing = 0; failing < calls; failing++) {
      const id = await create();
      let call = 0;
      const broken = watched(async (command, send) => {
        if (call++ === failing) throw new Error('out of order');
        return send(command);
      });
      await expect(workspaceStore(broken).delete(id)).rejects.toThrow('out of order');
      expect(await workspaces.get(id)).toBeDefined();
      await workspaces.delete(id);
      expect(await keysOf(id)).toEqual([]);
    }
  });
});
