import { describe, expect, it } from 'vitest';
import { entityTag, isNamed, isUnchanged } from './media-response.ts';

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
