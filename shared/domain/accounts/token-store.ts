import type { TokenRecord } from './token.ts';

/** Stores access tokens, by hash and by user. */
export interface TokenStore {
  create(token: TokenRecord): Promise<void>;
  get(hash: string): Promise<TokenRecord | undefined>;
  listByUser(user: string): Promise<TokenRecord[]>;
  /** Deletes the token, so that the next request with it is rejected. Resolves with `false` when it did not exist. */
  revoke(hash: string): Promise<boolean>;
}
