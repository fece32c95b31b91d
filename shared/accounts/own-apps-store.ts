import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { getRecord, getRecords } from '#shared/aws/item.ts';
import { keys } from '#shared/aws/keys.ts';
import { queryIndex } from '#shared/aws/query.ts';
import type { Table } from '#shared/aws/table.ts';
import { succeeds } from '#shared/aws/update.ts';
import { cached } from '#shared/base/cache.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import type { SignatureContext } from './event-signature.ts';
import type { Workspace } from './workspace.ts';

const keptForMs = 5 * minuteMs;

/** Reads which workspaces have credentials of their own, usually few, and caches that for minutes. */
export function ownAppsReader(table: Table, now: Clock): SignatureContext['ownApps'] {
  return cached(
    async () => {
      const workspaces = await listOwnApps(table);
      return new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    },
    keptForMs,
    now,
  );
}

/** Lists the workspaces that have credentials of their own. The index may lag behind by a moment. */
export async function listOwnApps(table: Table): Promise<Workspace[]> {
  const workspaces = await getRecords<Workspace>(table, queryIndex(table, 'gsi2', 'OWN_CREDENTIALS'));
  return workspaces.filter(({ own_credentials }) => own_credentials);
}

export type VerifyTokenStore = ReturnType<typeof verifyTokenStore>;

/** Finds workspaces by the SHA-256 of their own verify tokens. */
export function verifyTokenStore({ client, name: TableName }: Table) {
  return {
    /** The workspace of a verify token. */
    async find(hash: string): Promise<string | undefined> {
      const entry = await getRecord<{ workspace: string }>({ client, name: TableName }, keys.verifyToken(hash));
      return entry?.workspace;
    },

    /** Resolves with `false` when the token is that of another workspace. */
    enter(hash: string, workspace: string): Promise<boolean> {
      const put = new PutCommand({
        TableName,
        Item: { ...keys.verifyToken(hash), workspace },
        ConditionExpression: 'attribute_not_exists(pk) OR workspace = :workspace',
        ExpressionAttributeValues: { ':workspace': workspace },
      });
      return succeeds(client.send(put));
    },

    async remove(hash: string): Promise<void> {
      await client.send(new DeleteCommand({ TableName, Key: keys.verifyToken(hash) }));
    },
  };
}
