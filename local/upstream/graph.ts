import type { BusinessAccount } from './accounts.ts';
import { assertAuthorized, type Credentials } from './authorization.ts';
import { GraphError } from './graph-errors.ts';
import { findRoute, type GraphRoute, parseGraphPath } from './graph-route.ts';
import { type HttpAnswer, jsonAnswer } from './http.ts';
import { parseParams } from './params.ts';

export interface GraphOptions {
  readonly credentials: Credentials;
  readonly routes: readonly GraphRoute[];
}

export interface GraphCall {
  readonly method: string;
  readonly url: URL;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** Undefined when it was too large to be kept. */
  readonly body: Uint8Array | undefined;
  readonly traceId: string;
}

const CURRENT_VERSION = 'v25.0';

/** Does what a call asks for and answers as Graph would, refusals included. */
export async function answerGraph({ credentials, routes }: GraphOptions, call: GraphCall): Promise<HttpAnswer> {
  try {
    const { method, url, body } = call;
    assertAuthorized(credentials, call.authorization, url.searchParams);
    const path = parseGraphPath(url.pathname);
    if (path === undefined) throw new GraphError('unknown_path', `Unknown path components: ${url.pathname}`);
    const route = findRoute(routes, method, path.edge);
    if (route === undefined) throw new GraphError('object_missing');
    if (body === undefined) throw new GraphError('body_too_large');
    const params = await parseParams(body, call.contentType);
    return jsonAnswer(200, await route.answer({ id: path.id, url, params }));
  } catch (error) {
    return errorAnswer(error, call.traceId);
  }
}

/** The operation that a call asks for, and its path without the version. */
export function identify(routes: readonly GraphRoute[], method: string, url: URL) {
  const path = parseGraphPath(url.pathname);
  if (path === undefined) return { path: url.pathname, operation: null };
  const { id, edge } = path;
  return {
    path: edge === undefined ? `/${id}` : `/${id}/${edge}`,
    operation: findRoute(routes, method, edge)?.operation ?? null,
  };
}

/** The headers of every answer of Graph's. The usage, in percent, is that of an app far from its limits. */
export function graphHeaders(url: URL, traceId: string, accounts: readonly BusinessAccount[]): Record<string, string> {
  const usage = { call_count: 1, total_cputime: 1, total_time: 1 };
  const accountUsage = [{ type: 'whatsapp', ...usage, estimated_time_to_regain_access: 0 }];
  return {
    'facebook-api-version': parseGraphPath(url.pathname)?.version ?? CURRENT_VERSION,
    'x-fb-trace-id': traceId,
    'x-app-usage': JSON.stringify(usage),
    'x-business-use-case-usage': JSON.stringify(
      Object.fromEntries(accounts.map(({ waba_id }) => [waba_id, accountUsage])),
    ),
  };
}

function errorAnswer(error: unknown, traceId: string): HttpAnswer {
  if (!(error instanceof GraphError)) console.error(error);
  const { status, body } = error instanceof GraphError ? error : new GraphError('unknown_error');
  return jsonAnswer(status, { error: { ...body, fbtrace_id: traceId } });
}
