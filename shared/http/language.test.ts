import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import { errorCatalogue } from '#shared/operations/error-catalogue.ts';
import { errorResponse } from '#shared/operations/error-response.ts';
import { publicErrors } from '#shared/operations/public-errors.ts';
import { anyText } from '#support/arbitraries.ts';
import { languages, render } from './language.ts';
import { negotiateLanguage, parseAcceptHeader } from './request.ts';

describe('negotiateLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['es', 'es'],
    ['pt', 'pt-BR'],
    ['pt-BR', 'pt-BR'],
    ['es-419, en;q=0.5', 'es'],
    ['pt;q=0.1, es;q=0.9', 'es'],
    ['es;q=0.9, pt;q=0.9', 'es'],
    ['fr, de, pt;q=0.3', 'pt-BR'],
    ['fr', 'en'],
    ['fr, *;q=0.1', 'en'],
    ['es;q=0.5, *;q=0.1', 'es'],
    ['es;q=0', 'en'],
    ['es;Q=0, pt', 'pt-BR'],
    ['es;q=0.000, pt;q=0.001', 'pt-BR'],
    [' es ; q=0.8 , en ; q=0.2 ', 'es'],
    [';;;,,,', 'en'],
    ['__proto__', 'en'],
    ['english', 'en'],
  ])('negotiateLanguage negotiates %j as %s', (header, language) => {
    expect(negotiateLanguage(header)).toBe(language);
  });

  it('returns one of our languages for any header', () => {
    const piece = fc.constantFrom('es', 'pt-BR', 'q=', ';', ',', '*', '-', ' ', '0.5', '\r\n', '=');
    const header = fc.oneof(
      anyText,
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(header, (text) => {
        expect(languages).toContain(negotiateLanguage(text));
      }),
    );
  });
});

describe('render', () => {
  it('puts the form of a word that belongs to its number', () => {
    const counted = { en: '{max item|items}', 'pt-BR': '{max item|itens}', es: '{max elemento|elementos}' };
    expect(languages.map((language) => render(counted, language, { max: 1 }))).toEqual([
      '1 item',
      '1 item',
      '1 elemento',
    ]);
    expect(languages.map((language) => render(counted, language, { max: 0 }))).toEqual([
      '0 items',
      '0 itens',
      '0 elementos',
    ]);
  });

  const text = { en: 'The {field} of {field}, {other}.', 'pt-BR': 'O {field}.', es: 'El {field}.' };

  it('inserts the values into the text of the requested language', () => {
    expect(render(text, 'en', { field: 'name', other: 3 })).toBe('The name of name, 3.');
    expect(render(text, 'pt-BR', { field: 'name' })).toBe('O name.');
  });

  it('does not replace a placeholder without a value, or one within a value', () => {
    expect(render(text, 'en', { field: '{other}' })).toBe('The {other} of {other}, {other}.');
    expect(render({ en: '{toString} {__proto__}', 'pt-BR': '', es: '' }, 'en')).toBe('{toString} {__proto__}');
    expect(render(text, 'es', { field: '$& $1' })).toBe('El $& $1.');
  });
});

it('an Accept header is read as names and qualities in the given order', () => {
  expect(parseAcceptHeader('pt-BR, ES;q=0.5 , * ; Q=0')).toEqual([
    { name: 'pt-br', quality: 1 },
    { name: 'es', quality: 0.5 },
    { name: '*', quality: 0 },
  ]);
});

it.each(['x', '2', '-1', '0,5', ''])('an invalid quality counts as 0: q=%s', (quality) => {
  expect(parseAcceptHeader(`gzip;q=${quality}`)[0]).toEqual({ name: 'gzip', quality: 0 });
});

it('only the beginning of a long header is read', () => {
  expect(parseAcceptHeader('gzip,'.repeat(100_000))).toHaveLength(20);
});

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

  it.each(['timeout', 'broken-response', 'unavailable'] as const)(
    'says that a message may have been sent (%s)',
    (failure) => {
      const error = new UpstreamError(failure, 'No', { meaning: { code: 'message.outcome-unknown' } });
      expect(codeOf(error)).toBe('upstream_outcome_unknown');
    },
  );
});

describe('the list of errors', () => {
  it('has snake-case codes, each of them once', () => {
    expect(codes.filter((code) => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(code))).toEqual([]);
    expect(codes).toEqual([...new Set(codes)]);
  });

  it('has every failure of the upstream', () => {
    for (const failure of Object.keys(errorCatalogue.upstreamErrors) as UpstreamFailure[]) {
      expect(codes).toContain(codeOf(new UpstreamError(failure, 'No')));
    }
  });
});
