import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { VerifyTokenStore } from '#shared/domain/accounts/verify-token-store.ts';
import { succeeds } from '../table/condition.ts';
import { getRecord } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

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
