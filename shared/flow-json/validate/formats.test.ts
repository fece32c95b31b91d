import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUnicode } from '#support/arbitraries.ts';
import { patternRisks } from './formats.ts';

describe('a pattern', () => {
  it.each(['', '[a-z]+', '\\d{4}', '(a+)b+', '(ab)+', '(?:a|b)*', '[(a+)]+', '\\(a+\\)+', 'a{2,}b{1,3}', '(a+)?', '('])(
    '%s has no risks on phones',
    (pattern) => {
      expect(patternRisks(pattern)).toEqual([]);
    },
  );

  it.each([
    ['(?=.*\\d).+', 'Unsupported (?='],
    ['(?!x).+', 'Unsupported (?!'],
    ['(?<=x)y', 'Unsupported (?<'],
    ['(a)\\1', 'Unsupported \\1'],
    ['\\bword\\b', 'Unsupported \\b'],
    ['\\p{L}+', 'Unsupported \\p'],
    ['a{5000}', 'Too large'],
  ])('%s is reported as unchecked: %s', (pattern, part) => {
    expect(patternRisks(pattern)).toEqual([expect.stringContaining(`accept any text: ${part}.`)]);
  });

  it.each(['(a+)+', '(a*)*b', '((a+)b)+', '(?:a+)*', '(a{2,})+', '([a-z]+)*$'])(
    '%s is reported as possibly very slow',
    (pattern) => {
      expect(patternRisks(pattern)).toEqual([expect.stringContaining('nests one repetition in another')]);
    },
  );

  it('a pattern can have both risks', () => {
    expect(patternRisks('^(?=.)(a+)+$')).toHaveLength(2);
  });
});

// Milliseconds of work; what grows with the square of the length would not end in the time of a test.
it('any text can be checked', () => {
  fc.assert(fc.property(anyUnicode, (text) => void patternRisks(text)));
  for (const part of ['[', '(', '(a+)', '\\', '{,}', '*']) {
    patternRisks(part.repeat(1_000_000));
    for (let times = 0; times < 50; times++) patternRisks(`(?=x)${part.repeat(4_900 / part.length)}\\`);
  }
});
