import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { getRecord, getRecords } from '#shared/aws/item.ts';
import { indexKeys, keys } from '#shared/aws/keys.ts';
import { queryIndex } from '#shared/aws/query.ts';
import { createItem, type Table } from '#shared/aws/table.ts';
import { assign, succeeds } from '#shared/aws/update.ts';
import type { User } from './workspace.ts';

export type UserStore = ReturnType<typeof userStore>;

export function userStore(table: Table) {
  return {
    create: (user: User) => createItem(table, { ...keys.user(user.id), ...indexKeys.user(user.id), ...user }),

    /** Resolves with `false` when the user does not exist. */
    rename(user: string, name: string): Promise<boolean> {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: keys.user(user),
        ConditionExpression: 'attribute_exists(pk)',
        ...assign({ name }),
      });
      return succeeds(table.client.send(update));
    },

    /** Deletes only the user. The caller deletes tokens and memberships first. */
    async delete(user: string): Promise<void> {
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: keys.user(user) }));
    },

    get: (user: string) => getRecord<User>(table, keys.user(user)),

    list: () => getRecords<User>(table, queryIndex(table, 'gsi1', 'USERS')),
  };
}
