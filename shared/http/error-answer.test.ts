import { describe, expect, it } from 'vitest';
import { UpstreamError, type UpstreamFailure } from '#shared/adapters/graph/graph-error.ts';
import { ServiceError, type ServiceErrorKind } from '#shared/domain/errors/service-error.ts';
import { errorAnswer } from './error-answer.ts';
import { languages } from './language/language.ts';
import { requestTexts } from './texts.ts';

const text = { en: 'No {what}.', 'pt-BR': 'Sem {what}.', es: 'Sin {what}.' };

describe('an error of the service', () => {
  it.each<[ServiceErrorKind, number, Record<string, string>]>([
    ['malformed', 400, {}],
    ['refused', 400, {}],
    ['unauthenticated', 401, { 'www-authenticate': 'Bearer' }],
    ['forbidden', 403, {}],
    ['not-found', 404, {}],
    ['busy', 409, {}],
    ['too-large', 413, {}],
    ['unsupported-media-type', 415, {}],
    ['invalid', 422, {}],
    ['upstream-fault', 502, {}],
    ['not-ready', 503, {}],
  ])('that is %s is %d with nothing but its message', (kind, status, headers) => {
    const error = new ServiceError(kind, text, { values: { what: 'flowers' } });
    expect(errorAnswer(error, 'en')).toEqual({ status, body: { message: 'No flowers.' }, headers });
  });

  it('is said in the language of the request', () => {
    const error = new ServiceError('refused', text, { values: { what: 'x' } });
    expect(languages.map((language) => errorAnswer(error, language).body.message)).toEqual([
      'No x.',
      'Sem x.',
      'Sin x.',
    ]);
  });

  it('says when to come again', () => {
    expect(errorAnswer(new ServiceError('busy', text, { retryAfterSeconds: 3 }), 'en').headers).toEqual({
      'retry-after': '3',
    });
  });

  it('lists fields and counts those behind the first', () => {
    const one = { text, values: { what: 'one' } };
    const two = { text, values: { what: 'two' } };
    const answered = (fields: Record<string, (typeof one)[]>) =>
      errorAnswer(new ServiceError('invalid', text, { fields }), 'es').body;
    expect(answered({ a: [one] })).toEqual({ message: 'Sin one.', errors: { a: ['Sin one.'] } });
    expect(answered({ a: [one, two] })).toEqual({
      message: 'Sin one. (y 1 error más)',
      errors: { a: ['Sin one.', 'Sin two.'] },
    });
    expect(answered({ a: [one], 'b.0': [two, two] }).message).toBe('Sin one. (y 2 errores más)');
  });
});

describe('an error of the upstream', () => {
  const words = 'Flow name is not unique';
  const failed = (failure: UpstreamFailure, details = {}) =>
    errorAnswer(new UpstreamError(failure, words, { code: 100, ...details }), 'en');

  it('that is a refusal is 400 in its own words', () => {
    expect(failed('refused')).toEqual({
      status: 400,
      body: { message: words },
      headers: { 'x-upstream-error-code': '100' },
    });
  });

  it.each<[UpstreamFailure, number, string]>([
    ['credentials', 502, requestTexts.upstreamCredentials.en],
    ['unavailable', 502, requestTexts.upstreamUnavailable.en],
    ['unreachable', 502, requestTexts.upstreamUnavailable.en],
    ['no-answer', 504, requestTexts.upstreamTimeout.en],
  ])('that is %s is %d in our words', (failure, status, message) => {
    expect(failed(failure)).toEqual({ status, body: { message }, headers: { 'x-upstream-error-code': '100' } });
  });

  it('that is a rate limit is 429 and says when to come again', () => {
    const { status, body, headers } = failed('rate-limited', { code: 4, retryAfterSeconds: 90 });
    expect(status).toBe(429);
    expect(body.message).toContain('90 seconds');
    expect(headers).toEqual({ 'x-upstream-error-code': '4', 'retry-after': '90' });
  });

  describe('that the service has something to say of', () => {
    const meaning = { en: 'Ours.', 'pt-BR': 'Nosso.', es: 'Nuestro.' };
    const hint = (name: string) => ({ en: `${name}: a`, 'pt-BR': `${name}: b`, es: `${name}: c` });

    it('is a refusal with both its words and ours', () => {
      expect(failed('refused', { meaning }).body).toEqual({ message: `Ours. ${words}.` });
      expect(failed('refused', { meaning, hints: [hint('x'), hint('y')] }).body).toEqual({
        message: `Ours. ${words}. x: a y: a`,
      });
      expect(failed('refused', { hints: [hint('x')] }).body).toEqual({ message: `${words}. x: a` });
    });

    it('is a refusal with its details, too', () => {
      expect(failed('refused', { meaning, details: 'No audio!' }).body).toEqual({
        message: `Ours. ${words}. No audio!`,
      });
    });

    it('is said in the language of the request', () => {
      const error = new UpstreamError('refused', words, { meaning, hints: [hint('x')] });
      expect(errorAnswer(error, 'es').body).toEqual({ message: `Nuestro. ${words}. x: c` });
    });

    it('is a rate limit that says when to come again', () => {
      const { body, headers } = failed('rate-limited', { meaning, retryAfterSeconds: 7 });
      expect(body.message).toMatch(/^Ours\. .* 7 seconds\.$/);
      expect(headers).toMatchObject({ 'retry-after': '7' });
    });

    it.each(['unavailable', 'unreachable', 'no-answer'] as const)(
      'is told of what is %s in our words only',
      (failure) => {
        expect(failed(failure, { meaning, hints: [hint('x')] }).body).toEqual({ message: 'Ours.' });
      },
    );

    it('says no more of our credentials', () => {
      expect(failed('credentials', { meaning }).body).toEqual({ message: requestTexts.upstreamCredentials.en });
    });
  });

  it('has no code where the upstream gave none', () => {
    expect(failed('no-answer', { code: undefined }).headers).toEqual({});
  });
});

describe('anything else', () => {
  it.each([
    new TypeError('Cannot read properties of undefined'),
    Object.assign(new Error('User: arn:aws:iam::1:role is not authorized'), { name: 'AccessDeniedException' }),
    'text',
    undefined,
    { kind: 'refused', message: 'looks like ours' },
  ])('is 500 and says nothing of what it was', (error) => {
    expect(errorAnswer(error, 'pt-BR')).toEqual({
      status: 500,
      body: { message: requestTexts.internal['pt-BR'] },
      headers: {},
    });
  });
});
