import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { getRecord, getRecords } from '#shared/aws/item.ts';
import { indexKeys, keys } from '#shared/aws/keys.ts';
import { queryIndex } from '#shared/aws/query.ts';
import { createItem, type Table } from '#shared/aws/table.ts';
import { assign, succeeds } from '#shared/aws/update.ts';
import type { User } from './workspace.ts';

export interface UserStore {
  create(user: User): Promise<void>;
  /** Resolves with `false` when the user does not exist. */
  rename(user: string, name: string): Promise<boolean>;
  /** Deletes only the user. The caller deletes tokens and memberships first. */
  delete(user: string): Promise<void>;
  get(user: string): Promise<User | undefined>;
  list(): Promise<User[]>;
}

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
