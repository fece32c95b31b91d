import type { LogFields } from '#shared/base/log/log-context.ts';
import { describeError, log } from '#shared/base/log/logger.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import { errorResponse } from '#shared/http/errors/error-response.ts';
import type { LoadExplain } from '#shared/http/errors/explain.ts';
import { type HttpEvent, languageOf } from '../request.ts';
import type { Middleware } from './request-context.ts';

/** Turns errors into responses, and logs the cause of unexpected ones and of failures of the upstream. */
export function errorResponses(loadExplain: LoadExplain | undefined): Middleware {
  return {
    onError: async (request) => {
      const response = await responseTo(request.error, request.event, loadExplain);
      const isForeseen = request.error instanceof ServiceError;
      if (response.statusCode >= 500 && !isForeseen)
        log('error', faultEvent(request.error), describeFault(request.error));
      request.response = response;
    },
  };
}

/** Builds the response to an error. */
export async function responseTo(error: unknown, event: HttpEvent, loadExplain: LoadExplain | undefined) {
  const { errorCatalogue } = await import('#shared/http/errors/error-catalogue.ts');
  const explain = await loadExplain?.();
  const { status, body, headers } = errorResponse(error, languageOf(event), errorCatalogue, explain);
  return { statusCode: status, headers, body: JSON.stringify(body) };
}

/** Returns the name of the log event. The stack's alarms count these events. */
function faultEvent(error: unknown): string {
  if (!(error instanceof UpstreamError)) return 'request.failed';
  return error.failure === 'credentials' ? 'upstream.credentials-rejected' : 'upstream.failed';
}

/**
 * Leaves the upstream's message out, because it may quote the request, even a malformed access token. The codes
 * suffice.
 */
function describeFault(error: unknown): LogFields {
  if (!(error instanceof UpstreamError)) return describeError(error);
  const { failure, code, subcode } = error;
  return { failure, upstream_code: code, upstream_subcode: subcode };
}
