import type { Context } from 'aws-lambda';
import { parseUuid } from '#shared/base/ids.ts';
import type { LogFields } from '#shared/base/log/log-context.ts';
import { log } from '#shared/base/log/logger.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import type { HttpEvent } from '../request.ts';
import type { Middleware } from './request-context.ts';

type RequestLog = Middleware<{ startedAt?: number }>;

/** What every log line of a request says: its id, and the ids that its path names. */
export function idsOfRequest({ pathParameters }: HttpEvent, { awsRequestId }: Context): LogFields {
  const workspace = parseUuid(pathParameters?.workspace);
  const number = parseUuid(pathParameters?.number);
  return {
    request: awsRequestId,
    workspace,
    flow: parseUuid(pathParameters?.flow),
    number,
    // What lines about deliveries call either of them.
    subscriber: number ?? workspace,
    delivery: parseUuid(pathParameters?.delivery),
  };
}

/** Logs one line per request with ids, status and duration, but nothing from its body or query. */
export function requestLog(contract: Contract, now: Clock): RequestLog {
  const write: RequestLog['after'] = ({ context, response, internal }) => {
    const status = response?.statusCode ?? 0;
    log(status >= 500 ? 'error' : 'info', 'request', {
      operation: contract.name,
      status,
      duration_ms: now() - (internal.startedAt ?? now()),
      user: context.resources.user,
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
