import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUnicode } from '#support/arbitraries.ts';
import { contentDisposition, safeMediaType } from './media-response.ts';

describe('safeMediaType', () => {
  it.each([
    ['image/jpeg', 'image/jpeg', 'jpg'],
    ['IMAGE/PNG', 'image/png', 'png'],
    ['audio/ogg; codecs=opus', 'audio/ogg; codecs=opus', 'ogg'],
    ['text/plain;charset="utf-8"', 'text/plain;charset="utf-8"', 'txt'],
    ['application/pdf', 'application/pdf', 'pdf'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'docx',
    ],
  ])('returns the safe type %s unchanged', (declared, contentType, extension) => {
    expect(safeMediaType(declared)).toEqual({ contentType, extension });
  });

  it.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'application/xml',
    'text/javascript',
    'application/javascript',
    'application/x-shockwave-flash',
    'multipart/x-mixed-replace',
    'constructor',
    '__proto__/x',
    'image/png, text/html',
    'image/png\r\nset-cookie: a=b',
    'image/png; a="\r\n"',
    'image/png; charset',
    ' ',
    '',
    undefined,
  ])('replaces %j with the type for arbitrary bytes', (declared) => {
    expect(safeMediaType(declared)).toEqual({ contentType: 'application/octet-stream', extension: 'bin' });
  });

  it('returns a valid header value for any declared type', () => {
    const declared = fc.oneof(
      anyUnicode,
      anyUnicode.map((rest) => `image/png;${rest}`),
    );
    fc.assert(
      fc.property(declared, (text) => {
        expect(() => new Headers({ 'content-type': safeMediaType(text).contentType })).not.toThrow();
        expect(safeMediaType(text).contentType).toMatch(/^[\x20-\x7e\t]+$/);
      }),
    );
  });

  // Linear time takes milliseconds. Quadratic time would exceed the test's time limit.
  it('is fast for input that is made to be slow', () => {
    safeMediaType(`image/png${'; a=b'.repeat(1_000_000)}!`);
    safeMediaType(`image/png${' \t'.repeat(1_000_000)}!`);
  });
});

describe('contentDisposition', () => {
  it('names the file after its id', () => {
    expect(contentDisposition('1037543291543636', 'jpg')).toBe('attachment; filename="1037543291543636.jpg"');
  });
});
