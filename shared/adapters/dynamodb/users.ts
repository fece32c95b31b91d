import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { User } from '#shared/domain/accounts/user.ts';
import type { UserStore } from '#shared/domain/accounts/user-store.ts';
import { assign } from './assign.ts';
import { succeeds } from './condition.ts';
import { createItem } from './create-item.ts';
import { getRecord, getRecords } from './item.ts';
import { indexKeys, keys } from './keys.ts';
import { queryIndex } from './query.ts';
import type { Table } from './table.ts';

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
