import { describe, expect, it } from 'vitest';
import { type ErrorCode, invalidFields, ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import type { Explain } from '#shared/http/error-entry.ts';
import { languages } from '#shared/http/language.ts';
import { errorCatalogue, errorTexts, upstreamErrors } from './error-catalogue.ts';
import { errorResponse } from './error-response.ts';

describe('an error of the service', () => {
  it.each<[ErrorCode, number, Record<string, string>]>([
    ['body.malformed', 400, {}],
    ['target.no-url', 400, {}],
    ['unauthenticated', 401, { 'www-authenticate': 'Bearer' }],
    ['workspace.not-owner', 403, {}],
    ['flow.not-found', 404, {}],
    ['flow.busy', 409, {}],
    ['flow-endpoint.deprecated', 410, {}],
    ['flow.too-large', 413, {}],
    ['body.not-json', 415, {}],
    ['validation-failed', 422, {}],
    ['signing-secret.too-many-rotations', 429, {}],
    ['media.altered', 502, {}],
    ['media.not-ready', 503, {}],
    ['loop-detected', 508, {}],
  ])('with the code %s becomes %d with nothing but its message', (code, status, headers) => {
    const { en } = errorCatalogue.errors[code];
    expect(errorResponse(new ServiceError(code), 'en', errorCatalogue)).toEqual({
      status,
      body: { message: en },
      headers: { 'x-error-code': code.replace(/[.-]/g, '_'), ...headers },
    });
  });

  it('contains its values in the message', () => {
    const error = new ServiceError('target.no-url', { values: { target: 'calls_webhook' } });
    expect(errorResponse(error, 'en', errorCatalogue).body.message).toMatch(/^No calls_webhook URL is set/);
  });

  it('is written in the language of the request', () => {
    expect(
      languages.map(
        (language) => errorResponse(new ServiceError('flow.not-found'), language, errorCatalogue).body.message,
      ),
    ).toEqual(['Flow not found.', 'Flow não encontrado.', 'Flow no encontrado.']);
  });

  it('contains the status of a Flow in the language of the request', () => {
    const error = new ServiceError('flow.not-a-draft', { values: { status: 'PUBLISHED' } });
    expect(errorResponse(error, 'es', errorCatalogue).body.message).toMatch(/este Flow está publicado\.$/);
  });

  it('includes when to try again', () => {
    expect(
      errorResponse(new ServiceError('flow.busy', { retryAfterSeconds: 3 }), 'en', errorCatalogue).headers,
    ).toEqual({ 'x-error-code': 'flow_busy', 'retry-after': '3' });
  });

  it('has a text in every language for every code, with the same placeholders', () => {
    const marks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const text of Object.values(errorCatalogue.errors)) {
      for (const language of languages) expect(marks(text[language])).toEqual(marks(text.en));
    }
  });

  it('lists the invalid fields and counts the errors after the first', () => {
    const fault = (field: string, max: number) => ({ field, rule: 'max_number', values: { max } }) as const;
    const textOf = (field: string, max: number) => `El campo ${field} no puede ser mayor que ${max}.`;
    const responded = (...fields: ReturnType<typeof fault>[]) =>
      errorResponse(invalidFields(fields), 'es', errorCatalogue).body;
    expect(responded(fault('a', 1))).toEqual({ message: textOf('a', 1), errors: { a: [textOf('a', 1)] } });
    expect(responded(fault('a', 1), fault('a', 2))).toEqual({
      message: `${textOf('a', 1)} (y 1 error más)`,
      errors: { a: [textOf('a', 1), textOf('a', 2)] },
    });
    expect(responded(fault('a', 1), fault('b.0', 2), fault('b.0', 2)).message).toBe(
      `${textOf('a', 1)} (y 2 errores más)`,
    );
  });
});

describe('an error of the upstream', () => {
  const words = 'Flow name is not unique';
  const explain: Explain = ({ code, values }, language) => {
    if (code === 'call.meaning') return { en: 'Ours.', 'pt-BR': 'Nosso.', es: 'Nuestro.' }[language];
    return `${values?.name}: ${{ en: 'a', 'pt-BR': 'b', es: 'c' }[language]}`;
  };
  const failed = (failure: UpstreamFailure, details = {}) =>
    errorResponse(new UpstreamError(failure, words, { code: 100, ...details }), 'en', errorCatalogue, explain);

  it('that is a rejection becomes 400 with the upstream’s message', () => {
    expect(failed('rejected')).toEqual({
      status: 400,
      body: { message: words },
      headers: { 'x-error-code': 'upstream_rejected', 'x-upstream-error-code': '100' },
    });
  });

  it.each<[UpstreamFailure, number, string, string]>([
    ['credentials', 502, 'upstream_credentials_rejected', upstreamErrors.credentials.text.en],
    ['unavailable', 502, 'upstream_unavailable', upstreamErrors.unavailable.text.en],
    ['unreachable', 502, 'upstream_unavailable', upstreamErrors.unavailable.text.en],
    ['timeout', 504, 'upstream_timeout', upstreamErrors.timeout.text.en],
    ['broken-response', 502, 'upstream_response_broken', upstreamErrors['broken-response'].text.en],
  ])('that is %s becomes %d with our message', (failure, status, code, message) => {
    const headers = { 'x-error-code': code, 'x-upstream-error-code': '100' };
    expect(failed(failure)).toEqual({ status, body: { message }, headers });
  });

  it('that is a rate limit becomes 429 with Retry-After', () => {
    const { status, body, headers } = failed('rate-limited', { code: 4, retryAfterSeconds: 90 });
    expect(status).toBe(429);
    expect(body.message).toContain('90 seconds');
    expect(headers).toEqual({ 'x-error-code': 'rate_limited', 'x-upstream-error-code': '4', 'retry-after': '90' });
  });

  describe('that the service can explain', () => {
    const meaning = { code: 'call.meaning' } as const;
    const hint = (name: string) => ({ code: 'call.hint', values: { name } }) as const;

    it('becomes a rejection with both messages', () => {
      expect(failed('rejected', { meaning }).body).toEqual({ message: `Ours. ${words}.` });
      expect(failed('rejected', { meaning, hints: [hint('x'), hint('y')] }).body).toEqual({
        message: `Ours. ${words}. x: a y: a`,
      });
      expect(failed('rejected', { hints: [hint('x')] }).body).toEqual({ message: `${words}. x: a` });
    });

    it('becomes a rejection with its details, too', () => {
      expect(failed('rejected', { meaning, details: 'No audio!' }).body).toEqual({
        message: `Ours. ${words}. No audio!`,
      });
    });

    it('is explained in the language of the request', () => {
      const error = new UpstreamError('rejected', words, { meaning, hints: [hint('x')] });
      expect(errorResponse(error, 'es', errorCatalogue, explain).body).toEqual({ message: `Nuestro. ${words}. x: c` });
    });

    it('becomes a rate limit with Retry-After', () => {
      const { body, headers } = failed('rate-limited', { meaning, retryAfterSeconds: 7 });
      expect(body.message).toMatch(/^Ours\. .* 7 seconds\.$/);
      expect(headers).toMatchObject({ 'retry-after': '7' });
    });

    it.each(['unavailable', 'unreachable', 'timeout', 'broken-response'] as const)(
      'contains only our message if the failure is %s',
      (failure) => {
        expect(failed(failure, { meaning, hints: [hint('x')] }).body).toEqual({ message: 'Ours.' });
      },
    );
  });

  it('has no code of the upstream if the upstream sent none', () => {
    expect(failed('timeout', { code: undefined }).headers).toEqual({ 'x-error-code': 'upstream_timeout' });
  });
});

describe('any other exception', () => {
  it.each([
    new TypeError('Cannot read properties of undefined'),
    Object.assign(new Error('User: arn:aws:iam::1:role is not authorized'), { name: 'AccessDeniedException' }),
    'text',
    undefined,
    { kind: 'rejected', message: 'looks like ours' },
  ])('becomes 500 and reveals nothing of the cause', (error) => {
    expect(errorResponse(error, 'pt-BR', errorCatalogue)).toEqual({
      status: 500,
      body: { message: errorTexts.internal['pt-BR'] },
      headers: { 'x-error-code': 'internal_error' },
    });
  });
});
