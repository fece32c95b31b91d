import type { BusinessAccount } from './core/accounts.ts';
import { GraphError } from './http/graph-errors.ts';
import { findRoute, type GraphPath, type GraphRoute, parseGraphPath } from './http/graph-route.ts';
import { BytesResponse, type HttpResponse, jsonResponse } from './http/http.ts';
import type { Params } from './http/params.ts';
import type { Tokens } from './setup/tokens.ts';

export interface GraphOptions {
  readonly tokens: Tokens;
  readonly routes: readonly GraphRoute[];
}

export interface GraphCall {
  readonly method: string;
  readonly url: URL;
  readonly authorization: string | undefined;
  readonly range: string | undefined;
  /** The parameters, or the reason why they cannot be read. */
  readonly params: Params | GraphError;
}

const currentVersion = 'v25.0';

/** Executes a call and responds as Graph does, also with errors. */
export async function respondAsGraph(
  { tokens, routes }: GraphOptions,
  call: GraphCall,
  traceId: string,
): Promise<HttpResponse> {
  try {
    const { url, params } = call;
    const token = /^(?:Bearer|OAuth) +(\S+)$/i.exec(call.authorization ?? '')?.[1];
    const viewer = tokens.viewerOf(
      token ?? url.searchParams.get('access_token') ?? undefined,
      url.searchParams.get('appsecret_proof'),
    );
    const path = parseGraphPath(url.pathname);
    if (path === undefined) throw new GraphError('unknown_path', `Unknown path components: ${url.pathname}`);
    const route = routeOf(routes, call, path);
    if (route === undefined) throw new GraphError('object_missing');
    tokens.assertPermitted(viewer, route, path.id);
    if (params instanceof GraphError) throw params;
    const result = await route.handle({ id: path.id, url, params, range: call.range, viewer });
    return result instanceof BytesResponse ? result : jsonResponse(200, withToken(result, token));
  } catch (error) {
    if (!(error instanceof GraphError)) console.error(error);
    const { status, body } = error instanceof GraphError ? error : new GraphError('unknown_error');
    return jsonResponse(status, { error: { ...body, fbtrace_id: traceId } });
  }
}

/** Graph's links to other pages have the token of the request, wherever that was. */
function withToken(result: unknown, token: string | undefined): unknown {
  const { paging } = Object(result);
  if (paging === undefined || token === undefined) return result;
  const addToken = (value: unknown) => {
    if (typeof value !== 'string') return value;
    const link = new URL(value);
    link.searchParams.set('access_token', token);
    return link.href;
  };
  const members = Object.entries(paging).map(([name, value]) => [name, addToken(value)]);
  return { ...Object(result), paging: Object.fromEntries(members) };
}

/** The operation of a call, and its path without the version. */
export function identify(routes: readonly GraphRoute[], call: GraphCall) {
  const path = parseGraphPath(call.url.pathname);
  if (path === undefined) return { path: call.url.pathname, operation: null };
  const { id, edge } = path;
  return {
    path: edge === undefined ? `/${id}` : `/${id}/${edge}`,
    operation: routeOf(routes, call, path)?.operation ?? null,
  };
}

function routeOf(routes: readonly GraphRoute[], { method, url, params }: GraphCall, { id, edge }: GraphPath) {
  const readable = params instanceof GraphError ? new Map() : params;
  return findRoute(routes, { method, edge }, { id, url, params: readable });
}

/** What a response tells besides its body. */
export interface ResponseContext {
  readonly url: URL;
  readonly traceId: string;
  readonly accounts: readonly BusinessAccount[];
  /** The share of the limit of calls that is used, in percent. */
  readonly usage: number;
  /** Graph's clock, in milliseconds since the epoch. */
  readonly now: number;
}

/** The headers of every response of Graph. */
export function graphHeaders({ url, traceId, accounts, usage: share, now }: ResponseContext): Record<string, string> {
  const usage = { call_count: share, total_cputime: 1, total_time: 1 };
  const accountUsage = [{ type: 'whatsapp', ...usage, estimated_time_to_regain_access: share < 100 ? 0 : 30 }];
  return {
    date: new Date(now).toUTCString(),
    'facebook-api-version': parseGraphPath(url.pathname)?.version ?? currentVersion,
    'x-fb-trace-id': traceId,
    'x-app-usage': JSON.stringify(usage),
    'x-business-use-case-usage': JSON.stringify(
      Object.fromEntries(accounts.map(({ waba_id }) => [waba_id, accountUsage])),
    ),
  };
}
