import { createHmac } from 'node:crypto';
import { GraphError } from '../core/graph-errors.ts';

export interface Credentials {
  readonly accessToken: string;
  readonly appSecret: string;
}

/**
 * Graph takes the token from the header or the query, and checks `appsecret_proof` (HMAC-SHA256 of the token under the
 * app secret, in hex) when a caller sends one. Throws code 190 or 100.
 */
export function assertAuthorized(credentials: Credentials, header: string | undefined, query: URLSearchParams): void {
  const { accessToken, appSecret } = credentials;
  const token = /^(?:Bearer|OAuth) +(\S+)$/i.exec(header ?? '')?.[1] ?? query.get('access_token');
  if (token !== accessToken) throw new GraphError('access_token_invalid');

  const proof = query.get('appsecret_proof');
  if (proof === null) return;
  if (proof !== createHmac('sha256', appSecret).update(accessToken).digest('hex')) {
    throw new GraphError('invalid_parameter', 'Invalid appsecret_proof provided in the API argument');
  }
}
