import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange } from './media-response.ts';

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
