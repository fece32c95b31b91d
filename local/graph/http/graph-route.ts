import type { Params } from './params.ts';

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

/** A request to Graph. */
export interface GraphRequest {
  /** The object that the path names. */
  readonly id: string;
  /** The URL as the caller sees it. */
  readonly url: URL;
  readonly params: Params;
  readonly range?: string | undefined;
}

/** A request whose token is valid. */
export interface AuthorizedRequest extends GraphRequest {
  readonly viewer: Viewer;
}

/** One operation of Graph: a method on an object, or on one of its edges (`/{id}/{edge}`). */
export interface GraphRoute extends TokenNeeds {
  /** A name such as `create_flow`, for faults and the request log. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly edge?: string;
  /** Tells operations with the same method and edge apart. The first that accepts a request gets it. */
  takes?(request: GraphRequest): boolean;
  /** Returns the JSON of a 200 or a `BytesResponse`, or throws `GraphError`. It changes state without interruption. */
  handle(request: AuthorizedRequest): unknown;
}

/** The same routes, for tokens that have the permission. */
export function permitted(permission: Permission, routes: readonly GraphRoute[]): GraphRoute[] {
  return routes.map((route) => ({ ...route, permission }));
}

export interface GraphPath {
  /** Such as `v25.0`; absent when the path has no version. */
  readonly version?: string;
  readonly id: string;
  readonly edge?: string;
}

const graphPathPattern = /^(?:\/(?<version>v\d+\.\d+))?\/(?<id>[^/]+)(?:\/(?<edge>[^/]+))?\/?$/;

export function parseGraphPath(pathname: string): GraphPath | undefined {
  const groups = graphPathPattern.exec(pathname)?.groups;
  if (groups?.id === undefined) return undefined;
  const { version, id, edge } = groups;
  return { id, ...(version !== undefined && { version }), ...(edge !== undefined && { edge }) };
}

/** The route with this method and edge that accepts the request. */
export function findRoute(
  routes: readonly GraphRoute[],
  { method, edge }: { readonly method: string; readonly edge?: string | undefined },
  request: GraphRequest,
): GraphRoute | undefined {
  return routes.find(
    (route) => route.method === method && route.edge === edge && (route.takes === undefined || route.takes(request)),
  );
}
