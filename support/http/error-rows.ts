import type { KnownCode } from '#shared/domain/errors/known-codes.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import { errorCatalogue } from '#shared/http/errors/error-catalogue.ts';
import { errorResponse } from '#shared/http/errors/error-response.ts';
import type { Text } from '#shared/http/language/language.ts';

/** The row for a code in the documentation: the code, the status of our response, and the text. */
export function errorRow<M extends string>(row: KnownCode<M>, texts: Readonly<Record<M, Text>>): string {
  const { code, subcode, onlyIfRateLimited, failure, meaning, onlyInEvents } = row;
  const { status } = errorResponse(new UpstreamError(failure, 'No.'), 'en', errorCatalogue);
  const qualifier = subcode ?? (onlyIfRateLimited && 429);
  const name = qualifier === undefined ? String(code) : `${code} / ${qualifier}`;
  return `| ${name} | ${onlyInEvents ? 'in events' : `\`${status}\``} | ${texts[meaning].en} |`;
}
