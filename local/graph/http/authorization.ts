/** Whose token a request has: the app's own (`APP_ID|APP_SECRET`), or that of a system user. */
export type Viewer = 'app' | 'system_user';

/** The permissions of a system user's token that Graph's operations here need. */
export type Permission = 'whatsapp_business_messaging' | 'whatsapp_business_management';

/** What an operation asks of a token. */
export interface TokenNeeds {
  /** Whose token it takes. By default, it is that of a system user. */
  readonly token?: 'app' | 'any';
  /** The permission that a system user's token needs. */
  readonly permission?: Permission;
}

/** Decides what a token may do. Its errors have the codes 190, 200, 100 and others. */
export interface Access {
  /**
   * Throws if the token is not valid, or if `proof` is not its `appsecret_proof` (HMAC-SHA256 of the token under the app
   * secret, in hex), which Graph checks when a caller sends one.
   */
  viewerOf(token: string | undefined, proof: string | null): Viewer;
  /** Throws if the viewer may not execute an operation with these needs on this object. */
  assertPermitted(viewer: Viewer, needs: TokenNeeds, id: string): void;
}

/** Graph takes the token from the header or the query. */
export function tokenIn(header: string | undefined, query: URLSearchParams): string | undefined {
  return /^(?:Bearer|OAuth) +(\S+)$/i.exec(header ?? '')?.[1] ?? query.get('access_token') ?? undefined;
}
