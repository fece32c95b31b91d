import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { keys, prefixes } from '#shared/aws/keys.ts';
import { batchGet, fromItem, maxKeys, queryPartition, type Table } from '#shared/aws/table.ts';
import { groupsOf } from '#shared/base/concurrency.ts';
import type { DeliverySettings } from '#shared/webhooks/subscriber.ts';
import { settingsIn } from '#shared/webhooks/subscriber-store.ts';
import type { Workspace } from './workspace.ts';

/** Each workspace takes three keys: its own, and two of it as a subscriber. */
const workspacesAtOnce = Math.floor(maxKeys / 3);

export type BusinessAccountStore = ReturnType<typeof businessAccountStore>;

/**
 * Finds workspaces by their business account. An entry only says where to look, and the workspace itself is read every
 * time: so an entry can be written before or after the change that it is for, and need not be deleted when the business
 * account of a workspace changes.
 */
export function businessAccountStore(table: Table) {
  async function settingsAmong(wabaId: string, workspaces: readonly string[]): Promise<DeliverySettings[]> {
    const found = await batchGet(
      table,
      workspaces.flatMap((id) => [keys.workspace(id), keys.workspaceSubscriber(id), keys.target(id, 'webhook')]),
    );
    const itemsUnder = (key: { pk: string }) => found.filter(({ pk }) => pk === key.pk);
    return workspaces.flatMap((id) => {
      const workspace = fromItem<Workspace>(itemsUnder(keys.workspace(id))[0]);
      const settings = settingsIn(itemsUnder(keys.workspaceSubscriber(id)));
      return settings && workspace?.waba_id === wabaId ? [settings] : [];
    });
  }

  return {
    /** Lets the store find the workspace by its business account, if it has one. */
    async enter({ id, waba_id }: Pick<Workspace, 'id' | 'waba_id'>): Promise<void> {
      if (waba_id === null) return;
      const items = [keys.account(waba_id), { ...keys.workspaceOfAccount(waba_id, id), workspace: id }];
      for (const Item of items) await table.client.send(new PutCommand({ TableName: table.name, Item }));
    },

    /** Reads the workspaces of a business account, with their webhooks, consistently. */
    async listWorkspaces(wabaId: string): Promise<DeliverySettings[]> {
      const entries = queryPartition(table, keys.account(wabaId).pk, prefixes.workspace);
      const found: DeliverySettings[] = [];
      for await (const group of groupsOf(entries, workspacesAtOnce)) {
        const workspaces = group.map(({ workspace }) => String(workspace));
        found.push(...(await settingsAmong(wabaId, workspaces)));
      }
      return found;
    },
  };
}
