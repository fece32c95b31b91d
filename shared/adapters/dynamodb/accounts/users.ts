import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { User } from '#shared/domain/accounts/user.ts';
import type { UserStore } from '#shared/domain/accounts/user-store.ts';
import { assign } from '../table/assign.ts';
import { succeeds } from '../table/condition.ts';
import { createItem } from '../table/create-item.ts';
import { getRecord, getRecords } from '../table/item.ts';
import { indexKeys, keys } from '../table/keys.ts';
import { queryIndex } from '../table/query.ts';
import type { Table } from '../table/table.ts';

export function userStore(table: Table): UserStore {
  return {
    create: (user: User) => createItem(table, { ...keys.user(user.id), ...indexKeys.user(user.id), ...user }),

    rename(user: string, name: string): Promise<boolean> {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: keys.user(user),
        ConditionExpression: 'attribute_exists(pk)',
        ...assign({ name }),
      });
      return succeeds(table.client.send(update));
    },

    async delete(user: string): Promise<void> {
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: keys.user(user) }));
    },

    get: (user: string) => getRecord<User>(table, keys.user(user)),

    list: () => getRecords<User>(table, queryIndex(table, 'gsi1', 'USERS')),
  };
}
