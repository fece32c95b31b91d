import { indexKeys, keys } from '#shared/aws/keys.ts';
import { getRecord, getRecords, queryIndex, type Table } from '#shared/aws/table.ts';
import { assign, createItem, deleteExisting, deleteItem, updateExisting } from '#shared/aws/write.ts';
import type { TokenRecord } from './token.ts';
import type { User } from './workspace.ts';

export function userStore(table: Table) {
  return {
    create: (user: User) => createItem(table, { ...keys.user(user.id), ...indexKeys.user(user.id), ...user }),

    /** Resolves with `false` when the user does not exist. */
    rename: (user: string, name: string) => updateExisting(table, keys.user(user), assign({ name })),

    /** Deletes only the user. The caller deletes tokens and memberships first. */
    delete: (user: string) => deleteItem(table, keys.user(user)),

    get: (user: string) => getRecord<User>(table, keys.user(user)),

    list: () => getRecords<User>(table, queryIndex(table, 'gsi1', 'USERS')),
  };
}

/** Stores access tokens, by hash and by user. */
export function tokenStore(table: Table) {
  return {
    create(token: TokenRecord): Promise<void> {
      return createItem(table, {
        ...keys.token(token.hash),
        ...indexKeys.tokenOfUser(token.user, token.hash),
        ...token,
        ...(token.expires_at !== undefined && { expires_at_seconds: Math.ceil(token.expires_at / 1000) }),
      });
    },

    get: (hash: string) => getRecord<TokenRecord>(table, keys.token(hash)),

    listByUser: (user: string) =>
      getRecords<TokenRecord>(table, queryIndex(table, 'gsi1', keys.user(user).pk, 'TOKEN#')),

    /** Deletes the token, so that the next request with it is rejected. Resolves with `false` when it did not exist. */
    revoke: (hash: string) => deleteExisting(table, keys.token(hash)),
  };
}
