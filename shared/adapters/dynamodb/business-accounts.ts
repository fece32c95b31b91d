import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { BusinessAccountStore } from '#shared/domain/accounts/business-account-store.ts';
import type { Subscriber } from '#shared/domain/accounts/subscriber.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { batchGet, maxKeys } from './batch-get.ts';
import { fromItem } from './item.ts';
import { keys } from './keys.ts';
import { queryPartition } from './query.ts';
import type { Table } from './table.ts';

/** Each workspace takes two keys: its own, and that of its webhook. */
const workspacesAtOnce = maxKeys / 2;

/**
 * Finds workspaces by their business account. An entry only says where to look, and the workspace itself is read every
 * time: so an entry can be written before or after the change that it is for, and need not be deleted when the business
 * account of a workspace changes.
 */
export function businessAccountStore(table: Table): BusinessAccountStore {
  async function subscribersAmong(wabaId: string, workspaces: readonly string[]): Promise<Subscriber[]> {
    const found = await batchGet(
      table,
      workspaces.flatMap((id) => [keys.workspace(id), keys.workspaceWebhook(id)]),
    );
    const recordUnder = <T>({ pk, sk }: { pk: string; sk: string }) =>
      fromItem<T>(found.find((item) => item.pk === pk && item.sk === sk));
    return workspaces.flatMap((id) => {
      const workspace = recordUnder<Workspace>(keys.workspace(id));
      const subscriber = recordUnder<Subscriber>(keys.workspaceWebhook(id));
      return subscriber?.webhook !== undefined && workspace?.waba_id === wabaId ? [subscriber] : [];
    });
  }

  return {
    async enter({ id, waba_id }): Promise<void> {
      if (waba_id === null) return;
      const Item = { ...keys.workspaceOfAccount(waba_id, id), workspace: id };
      await table.client.send(new PutCommand({ TableName: table.name, Item }));
    },

    async listSubscribers(wabaId: string): Promise<Subscriber[]> {
      const workspaces: string[] = [];
      for await (const { workspace } of queryPartition(table, keys.workspaceOfAccount(wabaId, 'any').pk)) {
        workspaces.push(String(workspace));
      }
      const subscribers: Subscriber[] = [];
      while (workspaces.length > 0) {
        subscribers.push(...(await subscribersAmong(wabaId, workspaces.splice(0, workspacesAtOnce))));
      }
      return subscribers;
    },
  };
}
