import * as z from 'zod/mini';
import type { Invoke } from '../lambda/invocation.ts';
import type { Authorizer } from '../template/http-api.ts';
import { buildAuthorizerEvent, type RequestEvent } from './event.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { withTimeout } from './timeout.ts';

/** API Gateway waits this long for an authorizer. */
const timeoutMs = 10_000;

/** `unauthorized`: the request has no identity. `forbidden`: the authorizer rejected it. */
type Decision =
  | { readonly outcome: 'authorized'; readonly context?: unknown }
  | { readonly outcome: 'unauthorized' | 'forbidden' };

/** The authorizer's function failed, took too long, or returned something invalid. */
export class AuthorizerError extends Error {
  override readonly name = 'AuthorizerError';
}

/** Decides on a request, or rejects with an {@link AuthorizerError}. */
export type Authorize = (event: RequestEvent) => Promise<Decision>;

const simpleResponseSchema = z.object({ isAuthorized: z.boolean(), context: z._default(z.nullable(z.unknown()), {}) });

type IdentityReader = (event: RequestEvent) => string | undefined;

function identityReader(expression: string): IdentityReader {
  const [, source, name = ''] = /^\$(request\.header|request\.querystring|context)\.(.+)$/.exec(expression) ?? [];
  switch (source) {
    case 'request.header':
      return ({ headers }) => headers[name.toLowerCase()];
    case 'request.querystring':
      return ({ queryStringParameters }) => queryStringParameters?.[name];
    case 'context':
      if (name === 'routeKey') return ({ routeKey }) => routeKey;
  }
  throw new Error(`The gateway cannot read the identity source ${expression}.`);
}

export interface AuthorizerOptions {
  readonly invoke: Invoke;
  readonly region: string;
  readonly now: () => number;
}

/**
 * A Lambda REQUEST authorizer with simple responses (payload format 2.0). Its decisions are cached by the values of the
 * identity sources, and shared by all routes that use it.
 */
export function createAuthorizer(authorizer: Authorizer, { invoke, region, now }: AuthorizerOptions): Authorize {
  const readers = authorizer.identitySources.map(identityReader);
  const decisions = new ExpiringCache<Decision>(authorizer.ttlSeconds * 1000, now);

  async function ask(event: RequestEvent, identity: readonly string[]): Promise<Decision> {
    const question = JSON.stringify(buildAuthorizerEvent(event, region, identity));
    const { payload, functionError } = await withTimeout(invoke(authorizer.functionName, question), timeoutMs);
    if (functionError) throw new Error(payload);
    const { isAuthorized, context } = simpleResponseSchema.parse(JSON.parse(payload));
    return isAuthorized ? { outcome: 'authorized', context } : { outcome: 'forbidden' };
  }

  const askOrExplain = (event: RequestEvent, identity: readonly string[]) =>
    ask(event, identity).catch((cause: Error) => {
      throw new AuthorizerError(`The authorizer ${authorizer.functionName} failed: ${cause.message}`, { cause });
    });

  return async (event) => {
    const identity = readers.map((read) => read(event)).filter((value): value is string => Boolean(value));
    return identity.length < readers.length
      ? { outcome: 'unauthorized' }
      : decisions.get(JSON.stringify(identity), () => askOrExplain(event, identity));
  };
}
