import { describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { getRecord } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import type { Workspace } from './workspace.ts';
import { businessAccountStore, workspaceStore } from './workspace-store.ts';

const url = 'https://example.com/hook';

const dynamodb = forAllTests(() => startTestTable());
const workspaces = forAllTests(() => workspaceStore(dynamodb.table));
const accounts = forAllTests(() => businessAccountStore(dynamodb.table));

async function newWorkspace(waba_id: string | null, webhook: string | null = url): Promise<Workspace> {
  const workspace: Workspace = { id: newId(), name: 'Acme', waba_id, created_at: 0 };
  await workspaces.create(workspace);
  if (webhook) await targetStore(dynamodb.table).setUrls(workspace.id, { webhook });
  return workspace;
}

const idsOf = async (account: string) =>
  (await accounts.listWorkspaces(account)).map(({ subscriber }) => subscriber.id).toSorted();

describe('the workspaces of a business account', () => {
  it('are all that have it, with a webhook or without', async () => {
    const [one, other] = [await newWorkspace('1'), await newWorkspace('1', null)];
    await newWorkspace('2');
    await newWorkspace(null);
    expect(await idsOf('1')).toEqual([one.id, other.id].toSorted());
  });

  it('are read with everything that decides how their notifications are delivered', async () => {
    const { id } = await newWorkspace('7');
    await targetStore(dynamodb.table).changeTarget(id, 'webhook', { events: ['messages'] });
    const settings = await targetStore(dynamodb.table).read(id);
    expect(settings).toMatchObject({
      subscriber: { id, workspace: id, active: true },
      targets: { webhook: { url, events: ['messages'], version: 2 } },
    });
    expect(await accounts.listWorkspaces('7')).toEqual([settings]);
  });

  it('change with the business account of a workspace', async () => {
    const { id } = await newWorkspace('3');
    await workspaces.setBusinessAccount(id, '4');
    expect([await idsOf('3'), await idsOf('4')]).toEqual([[], [id]]);
    await workspaces.setBusinessAccount(id, null);
    expect(await idsOf('4')).toEqual([]);
    await workspaces.setBusinessAccount(id, '3');
    expect(await idsOf('3')).toEqual([id]);
  });

  it('leave nothing of the account when the last one is deleted', async () => {
    const [one, other] = [await newWorkspace('8'), await newWorkspace('8')];
    const account = () => getRecord(dynamodb.table, keys.account('8'));
    await workspaces.delete(one.id);
    expect(await account()).toBeDefined();
    await workspaces.delete(other.id);
    expect(await account()).toBeUndefined();
  });

  it('can be more than one call reads', async () => {
    const ids = await Promise.all(Array.from({ length: 51 }, async () => (await newWorkspace('5')).id));
    expect(await idsOf('5')).toEqual(ids.toSorted());
  });
});
