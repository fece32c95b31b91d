import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUnicode } from '#support/arbitraries.ts';
import { compilePattern, nestsRepetition } from './pattern.ts';

describe('a pattern', () => {
  it.each([
    ['a|bc', ['a', 'bc'], ['abc', 'xa', '']],
    ['.', ['a', '😀'], ['', 'ab']],
    ['(?=.*\\d).+', ['a1'], ['ab']],
    ['\\d{4}\\-\\@', ['2026-@'], ['2026']],
  ])('%s has to match the whole text', (pattern, matching, others) => {
    const compiled = compilePattern(pattern);
    expect(matching.filter((text) => compiled?.test(text))).toEqual(matching);
    expect(others.filter((text) => compiled?.test(text))).toEqual([]);
  });

  it.each(['(', ')', 'a)(b', '[', '[b-a]', '*', 'a**', '\\'])('%s is no regular expression', (pattern) => {
    expect(compilePattern(pattern)).toBeUndefined();
  });

  it.each(['', '[a-z]+', '\\d{4}', '(a+)b+', '(ab)+', '(?:a|b)*', '[(a+)]+', '\\(a+\\)+', 'a{2,}b{1,3}', '(a+)?', '('])(
    '%s does not nest repetitions',
    (pattern) => {
      expect(nestsRepetition(pattern)).toBe(false);
    },
  );

  it.each(['(a+)+', '(a*)*b', '((a+)b)+', '(?:a+)*', '(a{2,})+', '([a-z]+)*$'])('%s nests repetitions', (pattern) => {
    expect(nestsRepetition(pattern)).toBe(true);
  });
});

// Milliseconds of work; what grows with the square of the length would not end in the time of a test.
it('any text can be checked', () => {
  fc.assert(fc.property(anyUnicode, (text) => void [compilePattern(text), nestsRepetition(text)]));
  for (const part of ['[', '(', '(a+)', '\\', '{,}', '*']) nestsRepetition(part.repeat(1_000_000));
});
