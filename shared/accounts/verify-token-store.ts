import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { getRecord } from '#shared/aws/item.ts';
import { keys } from '#shared/aws/keys.ts';
import type { Table } from '#shared/aws/table.ts';
import { succeeds } from '#shared/aws/update.ts';

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
