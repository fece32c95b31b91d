import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#shared/base/exact-json.ts';
import { normaliseError, normaliseErrors } from './normalise.ts';

describe('normaliseError', () => {
  it('flattens the upstream form and removes repetitions', () => {
    const upstream = {
      code: 131047,
      title: 'Re-engagement message',
      message: 'Re-engagement message',
      error_data: { details: 'More than 24 hours have passed', messaging_product: 'whatsapp' },
      href: '/documentation/error-codes/',
    };
    const error = normaliseError(upstream);
    expect(error).toEqual({
      code: 131047,
      title: 'Re-engagement message',
      details: 'More than 24 hours have passed',
      href: '/documentation/error-codes/',
    });
    expect(Object.keys(error ?? {})).toEqual(['code', 'title', 'details', 'href']);
  });

  it.each([
    ['a title only in the message, as in call errors', { code: 1, message: 'm' }, { code: 1, title: 'm' }],
    ['details as bare text', { code: 1, title: 't', error_data: 'd' }, { code: 1, title: 't', details: 'd' }],
    ['details already flat', { code: 1, title: 't', details: 'd' }, { code: 1, title: 't', details: 'd' }],
    ['a code as text', { code: '131026', title: 't' }, { code: 131026, title: 't' }],
    ['code zero', { code: 0, title: 't' }, { code: 0, title: 't' }],
    ['no text at all', { code: 1 }, { code: 1, title: 'Unknown error' }],
    ['members of the wrong type', { code: 1, title: 2, href: {}, error_data: [] }, { code: 1, title: 'Unknown error' }],
  ])('reads an error with %s', (_, upstream, expected) => {
    expect(normaliseError(upstream)).toEqual(expected);
  });

  it.each([null, 'error', 131026, [], {}, { title: 'no code' }, { code: 'E1' }, { code: null }])(
    'finds no error in %j',
    (value) => {
      expect(normaliseError(value)).toBeUndefined();
    },
  );

  it('keeps a code digit for digit', () => {
    const written = '[{"code":12345678901234567890,"title":"t"},{"code":131026.0,"title":"t"}]';
    expect(JSON.stringify(normaliseErrors(parseExactJson(written) as unknown[]))).toBe(written);
  });

  it('removes invalid entries from a list of errors', () => {
    expect(normaliseErrors([null, { code: 1, title: 't' }, 'x'])).toEqual([{ code: 1, title: 't' }]);
  });
});
