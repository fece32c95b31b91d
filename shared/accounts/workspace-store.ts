import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { indexKeys, keys, prefixes } from '#shared/aws/keys.ts';
import {
  batchGet,
  fromItem,
  getRecord,
  getRecords,
  type Key,
  maxKeys,
  queryIndex,
  queryPartition,
  type Table,
} from '#shared/aws/table.ts';
import { assign, createItems, deleteExisting, deleteItem, succeeds, updateExisting } from '#shared/aws/write.ts';
import { groupsOf } from '#shared/base/concurrency.ts';
import { type DeliverySettings, workspaceSubscriber } from '#shared/webhooks/subscriber.ts';
import { itemsOfNewSubscriber, settingsIn } from '#shared/webhooks/subscriber-store.ts';
import { createSecret } from '#shared/webhooks/webhook-signature.ts';
import type { Member, Workspace } from './workspace.ts';

export type WorkspaceStore = ReturnType<typeof workspaceStore>;

/** Stores workspaces and their members, for the administration; requests read them through an `AccessReader`. */
export function workspaceStore(table: Table) {
  const { enter, leave } = businessAccountStore(table);

  const set = (workspace: string, attributes: Partial<Workspace>) =>
    updateExisting(table, keys.workspace(workspace), assign(attributes));

  return {
    /** Creates a workspace with its target and a signing secret. */
    async create(workspace: Workspace): Promise<void> {
      await enter(workspace);
      const { id } = workspace;
      const subscriber = workspaceSubscriber(workspace);
      const items = [
        { ...keys.workspace(id), ...indexKeys.workspace(id), ...workspace },
        { ...keys.workspaceSubscriber(id), ...subscriber },
        ...itemsOfNewSubscriber(subscriber, createSecret()),
      ];
      if (!(await createItems(table, items))) throw new Error(`There is another workspace ${id}`);
    },

    /** Resolves with `false` when the workspace does not exist. */
    rename: (workspace: string, name: string) => set(workspace, { name }),

    /** Deletes everything in a workspace except its numbers. A failed deletion can be repeated. */
    async delete(workspace: string): Promise<void> {
      const record = await getRecord<Workspace>(table, keys.workspace(workspace));
      if (record?.waba_id) await leave(record.waba_id, workspace);
      for await (const key of keysOfWorkspace(table, workspace)) await deleteItem(table, key);
    },

    get: (workspace: string) => getRecord<Workspace>(table, keys.workspace(workspace)),

    list: () => getRecords<Workspace>(table, queryIndex(table, 'gsi1', 'WORKSPACES')),

    /**
     * Sets or clears (`null`) the upstream business account. Resolves with `false` when the workspace does not exist.
     */
    async setBusinessAccount(workspace: string, wabaId: string | null): Promise<boolean> {
      await enter({ id: workspace, waba_id: wabaId });
      return set(workspace, { waba_id: wabaId });
    },

    /** Permits the calls of all numbers or of none. Resolves with `false` when the workspace does not exist. */
    setCalling: (workspace: string, enabled: boolean) => set(workspace, { calling_enabled: enabled }),

    /** Says whether it has credentials of its own. Resolves with `false` when the workspace does not exist. */
    setOwnCredentials(workspace: string, hasOwn: boolean): Promise<boolean> {
      const index = indexKeys.ownCredentials(workspace);
      const attributes = { own_credentials: true, ...index };
      const change = hasOwn ? assign(attributes) : assign({}, Object.keys(attributes));
      return updateExisting(table, keys.workspace(workspace), change);
    },

    /** Adds a member, or changes a member's role. */
    async putMember(member: Member): Promise<void> {
      const { workspace, user } = member;
      const item = { ...keys.member(workspace, user), ...indexKeys.membershipOfUser(user, workspace), ...member };
      await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
    },

    /** Resolves with `false` when the user was not a member. */
    removeMember: (workspace: string, user: string) => deleteExisting(table, keys.member(workspace, user)),

    async listMembers(workspace: string): Promise<Member[]> {
      const items = await Array.fromAsync(queryPartition(table, keys.workspace(workspace).pk, prefixes.member));
      return items.flatMap((item) => fromItem<Member>(item) ?? []);
    },
  };
}

/** The keys of everything that belongs to a workspace; its own are last, so that a failed deletion can be repeated. */
async function* keysOfWorkspace(table: Table, workspace: string): AsyncGenerator<Key> {
  const own = keys.workspace(workspace);
  for await (const item of queryPartition(table, own.pk)) {
    if (item.sk === own.sk) continue;
    if (String(item.sk).startsWith(prefixes.flow)) yield* besideFlow(item);
    yield keyOf(item);
  }
  for await (const item of queryPartition(table, keys.workspaceSubscriber(workspace).pk)) yield keyOf(item);
  for await (const item of queryPartition(table, keys.secrets(workspace).pk)) yield keyOf(item);
  yield own;
}

const keyOf = ({ pk, sk }: Record<string, unknown>): Key => ({ pk: String(pk), sk: String(sk) });

/** What a Flow's item says about the items beside it. */
interface StoredFlow {
  id: string;
  workspace: string;
  wa_id?: string;
  status: string;
  json: { item: string } | object;
}

/** The keys of the items that belong to a Flow besides its own. */
function besideFlow(item: Record<string, unknown>) {
  const { id, workspace, wa_id, status, json } = item as unknown as StoredFlow;
  return [
    ...(wa_id === undefined ? [] : [keys.upstreamFlow(wa_id), keys.flowOfStatus(workspace, status, id)]),
    ...('item' in json ? [keys.flowJson(json.item)] : []),
  ];
}

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

  /** DynamoDB removes an attribute whose set becomes empty. */
  const changeWorkspaces = (action: 'ADD' | 'DELETE', wabaId: string, workspace: string) =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.account(wabaId),
        UpdateExpression: `${action} workspaces :one`,
        ExpressionAttributeValues: { ':one': new Set([workspace]) },
      }),
    );

  return {
    /** Lets the store find the workspace by its business account, if it has one. */
    async enter({ id, waba_id }: Pick<Workspace, 'id' | 'waba_id'>): Promise<void> {
      if (waba_id === null) return;
      await changeWorkspaces('ADD', waba_id, id);
      const Item = { ...keys.workspaceOfAccount(waba_id, id), workspace: id };
      await table.client.send(new PutCommand({ TableName: table.name, Item }));
    },

    /** Forgets the workspace, and the business account after its last one. */
    async leave(wabaId: string, workspace: string): Promise<void> {
      await deleteItem(table, keys.workspaceOfAccount(wabaId, workspace));
      await changeWorkspaces('DELETE', wabaId, workspace);
      const Key = keys.account(wabaId);
      const ConditionExpression = 'attribute_not_exists(workspaces)';
      await succeeds(table.client.send(new DeleteCommand({ TableName: table.name, Key, ConditionExpression })));
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
