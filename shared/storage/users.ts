import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { User } from '../users/user.ts';
import { getRecord, getRecords } from './item.ts';
import { indexKeys, keys } from './keys.ts';
import { queryIndex } from './query.ts';
import type { Table } from './table.ts';

export type UserStore = ReturnType<typeof userStore>;

export function userStore(table: Table) {
  return {
    async create(user: User): Promise<void> {
      const item = { ...keys.user(user.id), ...indexKeys.user(user.id), ...user };
      await table.client.send(
        new PutCommand({ TableName: table.name, Item: item, ConditionExpression: 'attribute_not_exists(pk)' }),
      );
    },

    get: (user: string) => getRecord<User>(table, keys.user(user)),

    list: () => getRecords<User>(table, queryIndex(table, 'gsi1', 'USERS')),
  };
}
