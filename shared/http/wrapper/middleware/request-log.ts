import type { Clock } from '#shared/base/clock.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { log } from '#shared/base/logger.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import type { Middleware } from './request-context.ts';

type RequestLog = Middleware<{ startedAt?: number }>;

/** Logs one line per request with ids, status and duration, but nothing from its body or query. */
export function requestLog(contract: Contract, now: Clock): RequestLog {
  const write: RequestLog['after'] = ({ event, response, internal }) => {
    const status = response?.statusCode ?? 0;
    log(status >= 500 ? 'error' : 'info', 'request', {
      operation: contract.name,
      status,
      duration_ms: now() - (internal.startedAt ?? now()),
      workspace: parseUuid(event.pathParameters?.workspace),
      flow: parseUuid(event.pathParameters?.flow),
      number: parseUuid(event.pathParameters?.number),
      user: event.requestContext.authorizer?.lambda?.user,
    });
  };
  return {
    before: ({ internal }) => {
      internal.startedAt = now();
    },
    after: write,
    onError: write,
  };
}
