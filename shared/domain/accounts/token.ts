import { tokenFormat } from '#shared/base/token-format.ts';

export { hashToken } from '#shared/base/token-format.ts';

/** A stored access token. Only its hash is stored; the token itself is shown once. */
export interface TokenRecord {
  hash: string;
  user: string;
  /** The token's purpose, so that people recognise it in a list. */
  label: string;
  /** Epoch milliseconds. */
  created_at: number;
  expires_at?: number;
}

/** The format of access tokens. */
export const { create: createToken, withChecksum, isWellFormed } = tokenFormat('msgs_');

export function isExpired(token: Pick<TokenRecord, 'expires_at'>, now: number): boolean {
  return (token.expires_at ?? Number.POSITIVE_INFINITY) <= now;
}
