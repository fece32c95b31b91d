import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { getRecord } from '#shared/aws/item.ts';
import { keys } from '#shared/aws/keys.ts';
import type { Table } from '#shared/aws/table.ts';
import { succeeds } from '#shared/aws/update.ts';

/** Finds workspaces by the SHA-256 of their own verify tokens. */
export interface VerifyTokenStore {
  /** The workspace of a verify token. */
  find(hash: string): Promise<string | undefined>;
  /** Resolves with `false` when the token is that of another workspace. */
  enter(hash: string, workspace: string): Promise<boolean>;
  remove(hash: string): Promise<void>;
}

export function verifyTokenStore({ client, name: TableName }: Table): VerifyTokenStore {
  return {
    async find(hash) {
      const entry = await getRecord<{ workspace: string }>({ client, name: TableName }, keys.verifyToken(hash));
      return entry?.workspace;
    },

    enter(hash, workspace) {
      const put = new PutCommand({
        TableName,
        Item: { ...keys.verifyToken(hash), workspace },
        ConditionExpression: 'attribute_not_exists(pk) OR workspace = :workspace',
        ExpressionAttributeValues: { ':workspace': workspace },
      });
      return succeeds(client.send(put));
    },

    async remove(hash) {
      await client.send(new DeleteCommand({ TableName, Key: keys.verifyToken(hash) }));
    },
  };
}
