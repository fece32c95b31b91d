import { describe, expect, it } from 'vitest';
import { type ErrorCode, ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { errorCatalogue } from '#shared/operations/error-catalogue.ts';
import { errorResponse, statusByFailure } from '#shared/operations/error-response.ts';
import { publicErrors } from '#shared/operations/public-error-texts.ts';
import { languages } from './language.ts';

const codes = publicErrors.map(({ code }) => code);
const codeOf = (error: unknown) =>
  errorResponse(error, 'en', errorCatalogue, () => 'explained').headers['x-error-code'] ?? '';

describe('the code of an error', () => {
  it.each(Object.keys(errorCatalogue.errors) as ErrorCode[])('follows from the code of the service: %s', (code) => {
    const inEachLanguage = languages.map(
      (language) => errorResponse(new ServiceError(code), language, errorCatalogue).headers['x-error-code'],
    );
    expect(inEachLanguage).toEqual(languages.map(() => codeOf(new ServiceError(code))));
    expect(codes).toContain(inEachLanguage[0]);
  });

  it('says what the upstream did', () => {
    expect(codeOf(new UpstreamError('rejected', 'No'))).toBe('upstream_rejected');
    expect(codeOf(new UpstreamError('rate-limited', 'No'))).toBe('rate_limited');
    expect(codeOf(new UpstreamError('credentials', 'No'))).toBe('upstream_credentials_rejected');
    expect(codeOf(new UpstreamError('unreachable', 'No'))).toBe(codeOf(new UpstreamError('unavailable', 'No')));
    expect(codeOf(new UpstreamError('timeout', 'No'))).toBe('upstream_timeout');
  });

  it.each(['timeout', 'broken-response', 'unavailable'] as const)(
    'says that a message may have been sent (%s)',
    (failure) => {
      const error = new UpstreamError(failure, 'No', { meaning: { code: 'message.outcome-unknown' } });
      expect(codeOf(error)).toBe('upstream_outcome_unknown');
    },
  );

  it('says that the service itself failed', () => {
    expect(codeOf(new Error('Oops'))).toBe('internal_error');
  });
});

describe('the list of errors', () => {
  it('has snake-case codes, each of them once', () => {
    expect(codes.filter((code) => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(code))).toEqual([]);
    expect(codes).toEqual([...new Set(codes)]);
  });

  it('has every failure of the upstream', () => {
    for (const failure of Object.keys(statusByFailure) as (keyof typeof statusByFailure)[]) {
      expect(codes).toContain(codeOf(new UpstreamError(failure, 'No')));
    }
  });
});
