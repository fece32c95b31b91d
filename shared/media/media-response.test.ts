import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUnicode } from '#support/arbitraries.ts';
import { contentDisposition, entityTag, isNamed, isUnchanged, parseRange, safeMediaType } from './media-response.ts';

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

describe('parseRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=9-400', { start: 9, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-400', { start: 0, end: 9 }],
    ['Bytes= 1-2 ', { start: 1, end: 2 }],
    ['bytes=0-99999999999999999999999', { start: 0, end: 9 }],
  ])('reads %s of ten bytes', (header, range) => {
    expect(parseRange(header, 10)).toEqual(range);
  });

  it.each(['bytes=10-', 'bytes=10-12', 'bytes=-0', 'bytes=99999999999999999999999-'])(
    'reports %s as unsatisfiable for ten bytes',
    (header) => {
      expect(parseRange(header, 10)).toBe('unsatisfiable');
    },
  );

  it.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'bytes=a-b', 'items=0-1', 'bytes=1.5-2'])(
    'ignores %j and returns the whole file',
    (header) => {
      expect(parseRange(header, 10)).toBe(undefined);
    },
  );

  it('returns the whole of an empty file', () => {
    for (const header of ['bytes=0-', 'bytes=-1']) expect(parseRange(header, 0)).toBe(undefined);
  });

  it('returns the bytes that slicing returns', () => {
    const size = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(size, fc.nat(60), fc.nat(60), (size, first, last) => {
        const range = parseRange(`bytes=${first}-${last}`, size);
        const bytes = Array.from({ length: size }, (_, index) => index);
        const wanted = bytes.slice(first, last + 1);
        if (last < first) expect(range).toBe(undefined);
        else if (wanted.length === 0) expect(range).toBe('unsatisfiable');
        else expect(range).toEqual({ start: wanted[0], end: wanted.at(-1) });
      }),
    );
  });
});

const tag = entityTag('ab12');

describe('isNamed', () => {
  it.each(['"ab12"', 'W/"ab12"', '"cd", "ab12"', '*', ' "ab12" '])('is true for the header %s', (header) => {
    expect(isNamed(header, tag)).toBe(true);
  });

  it.each([undefined, '', 'ab12', '"ab1"', '"AB12"', 'W/', '"cd", "ef"'])('is false for the header %j', (header) => {
    expect(isNamed(header, tag)).toBe(false);
  });
});

describe('isUnchanged', () => {
  it('is true only for the exact tag', () => {
    expect(isUnchanged(undefined, tag)).toBe(true);
    expect(isUnchanged('"ab12"', tag)).toBe(true);
    for (const other of ['W/"ab12"', '"cd"', 'Sat, 31 Jan 2026 08:15:30 GMT', '']) {
      expect(isUnchanged(other, tag)).toBe(false);
    }
  });
});
