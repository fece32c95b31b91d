import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { TokenRecord } from '#shared/domain/accounts/token.ts';
import type { TokenStore } from '#shared/domain/accounts/token-store.ts';
import { createItem } from '../table/create-item.ts';
import { getRecord, getRecords } from '../table/item.ts';
import { indexKeys, keys } from '../table/keys.ts';
import { queryIndex } from '../table/query.ts';
import type { Table } from '../table/table.ts';

export function tokenStore(table: Table): TokenStore {
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

    async revoke(hash: string): Promise<boolean> {
      const { Attributes } = await table.client.send(
        new DeleteCommand({ TableName: table.name, Key: keys.token(hash), ReturnValues: 'ALL_OLD' }),
      );
      return Attributes !== undefined;
    },
  };
}
