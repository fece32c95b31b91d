import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Member, Workspace } from '#shared/domain/accounts/workspace.ts';
import type { WorkspaceStore } from '#shared/domain/accounts/workspace-store.ts';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import { createSecret } from '#shared/domain/signing/webhook-signature.ts';
import { workspaceSubscriber } from '#shared/domain/subscribers/subscriber.ts';
import { businessAccountStore } from '../subscribers/business-accounts.ts';
import { itemsOfNewSubscriber } from '../subscribers/subscriber-items.ts';
import { assign } from '../table/assign.ts';
import type { Key } from '../table/batch-get.ts';
import { succeeds } from '../table/condition.ts';
import { createItems } from '../table/create-item.ts';
import { fromItem, getRecord, getRecords } from '../table/item.ts';
import { indexKeys, keys, prefixes } from '../table/keys.ts';
import { queryIndex, queryPartition } from '../table/query.ts';
import type { Table } from '../table/table.ts';

export function workspaceStore(table: Table): WorkspaceStore {
  const { enter } = businessAccountStore(table);

  /** Resolves with `false` when the workspace does not exist. */
  function update(workspace: string, change: ReturnType<typeof assign>): Promise<boolean> {
    const command = new UpdateCommand({
      TableName: table.name,
      Key: keys.workspace(workspace),
      ConditionExpression: 'attribute_exists(pk)',
      ...change,
    });
    return succeeds(table.client.send(command));
  }

  const set = (workspace: string, attributes: Partial<Workspace>) => update(workspace, assign(attributes));

  return {
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

    rename: (workspace: string, name: string) => set(workspace, { name }),

    async delete(workspace: string): Promise<void> {
      for await (const Key of keysOfWorkspace(table, workspace)) {
        await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
      }
    },

    get: (workspace: string) => getRecord<Workspace>(table, keys.workspace(workspace)),

    list: () => getRecords<Workspace>(table, queryIndex(table, 'gsi1', 'WORKSPACES')),

    async setBusinessAccount(workspace: string, wabaId: string | null): Promise<boolean> {
      await enter({ id: workspace, waba_id: wabaId });
      return set(workspace, { waba_id: wabaId });
    },

    setCalling: (workspace: string, enabled: boolean) => set(workspace, { calling_enabled: enabled }),

    setOwnCredentials(workspace: string, hasOwn: boolean): Promise<boolean> {
      const index = indexKeys.ownCredentials(workspace);
      const attributes = { own_credentials: true, ...index };
      return update(workspace, hasOwn ? assign(attributes) : assign({}, Object.keys(attributes)));
    },

    async putMember(member: Member): Promise<void> {
      const { workspace, user } = member;
      const item = { ...keys.member(workspace, user), ...indexKeys.membershipOfUser(user, workspace), ...member };
      await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
    },

    async removeMember(workspace: string, user: string): Promise<boolean> {
      const { Attributes } = await table.client.send(
        new DeleteCommand({ TableName: table.name, Key: keys.member(workspace, user), ReturnValues: 'ALL_OLD' }),
      );
      return Attributes !== undefined;
    },

    async listMembers(workspace: string): Promise<Member[]> {
      const members: Member[] = [];
      for await (const item of queryPartition(table, keys.workspace(workspace).pk, prefixes.member)) {
        const member = fromItem<Member>(item);
        if (member) members.push(member);
      }
      return members;
    },
  };
}

/** The keys of everything that belongs to a workspace; its own are last, so that a failed deletion can be repeated. */
async function* keysOfWorkspace(table: Table, workspace: string): AsyncGenerator<Key> {
  const own = keys.workspace(workspace);
  const record = await getRecord<Workspace>(table, own);
  for await (const item of queryPartition(table, own.pk)) {
    if (item.sk === own.sk) continue;
    if (String(item.sk).startsWith(prefixes.flow)) yield* besideFlow(item);
    yield keyOf(item);
  }
  for await (const item of queryPartition(table, keys.workspaceSubscriber(workspace).pk)) yield keyOf(item);
  yield keys.secrets(workspace);
  if (record?.waba_id) yield keys.workspaceOfAccount(record.waba_id, workspace);
  yield own;
}

const keyOf = ({ pk, sk }: Record<string, unknown>): Key => ({ pk: String(pk), sk: String(sk) });

/** The keys of the items that belong to a Flow besides its own. */
function besideFlow(item: Record<string, unknown>) {
  const { id, workspace, wa_id, status, json } = item as unknown as FlowRecord;
  return [
    ...(wa_id === undefined ? [] : [keys.upstreamFlow(wa_id), keys.flowOfStatus(workspace, status, id)]),
    ...('item' in json ? [keys.flowJson(json.item)] : []),
  ];
}
