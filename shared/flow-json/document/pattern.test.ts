import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { compilePattern, PatternError } from './pattern.ts';

const asHtmlDoes = (pattern: string, text: string) => new RegExp(`^(?:${pattern})$`, 'u').test(text);

describe('a pattern', () => {
  it.each([
    ['(?:ab){2}', ['abab'], ['ab', 'ababab']],
    ['a{2,}', ['aa', 'aaaaaa'], ['a']],
    ['a+?', ['a', 'aa'], ['']],
    ['[a-]', ['a', '-'], ['b']],
    ['[\\d_.]+', ['1_2.'], ['a', '']],
    ['\\w\\s\\S\\D\\W', ['a bc!'], ['a bc1']],
    ['.', ['a', '😀'], ['', '\n']],
    ['\\u0041\\x42\\t', ['AB\t'], ['AB']],
    ['a\\.b', ['a.b'], ['axb']],
    ['[\\p{L} ]+', ['João é'], ['R2']],
    ['[^\\\\,;]', ['a'], ['\\', ',', ';']],
    ['[\\\\w-z]', ['\\', 'x'], ['a', '-']],
    ['[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}', ['IT60X0542811101000000123456'], ['it60', 'IT60']],
  ])('%s matches the same texts as in HTML', (pattern, matching, others) => {
    const { matches } = compilePattern(pattern);
    for (const text of matching) expect([text, matches(text), asHtmlDoes(pattern, text)]).toEqual([text, true, true]);
    for (const text of others) expect([text, matches(text), asHtmlDoes(pattern, text)]).toEqual([text, false, false]);
  });

  it.each([
    ['\\@\\-', '@-', 'a-'],
    ['[\\@\\-\\]]+', '-@]', '\\'],
    ['[\\w-.]+', 'a-b.', 'a@'],
    ["[\\p{L}-']+", "d'Áv-", '.'],
  ])('%s is read as other engines than JavaScript read it', (pattern, matching, other) => {
    const { matches } = compilePattern(pattern);
    expect([matches(matching), matches(other)]).toEqual([true, false]);
  });

  it.each(['(', ')', 'a(', '[', '[a', '[b-a]', '*', '+a', 'a**', 'a{3,2}', '\\', '(?:'])(
    '%s is reported as invalid',
    (pattern) => {
      expect(() => compilePattern(pattern)).toThrow(PatternError);
      expect(() => compilePattern(pattern)).not.toThrow(expect.objectContaining({ isUnsupported: true }));
    },
  );

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(a)\\1',
    '\\bword\\b',
    '\\y',
    '[\\y]',
    '((a{100}){100}){100}',
    'a{9999}',
    '('.repeat(5000),
  ])('%s is reported as not supported', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(expect.objectContaining({ isUnsupported: true }));
  });
});

/** Patterns that are the same here and in JavaScript. */
const { pattern: anyPattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\d', '\\w', '^', '$'),
    tie('pattern').map((inner) => `(${inner})`),
  ),
  pattern: fc
    .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '|')), { maxLength: 4 })
    .map((parts) =>
      parts
        .map(([atom, quantifier]) => (/^[$^]$/.test(atom) && quantifier !== '|' ? atom : atom + quantifier))
        .join(''),
    ),
}));

describe('properties', () => {
  it('it matches the same texts as in JavaScript', () => {
    fc.assert(
      fc.property(
        anyPattern,
        fc.array(fc.constantFrom('a', 'b', 'c', '1', '-'), { maxLength: 6 }),
        (pattern, letters) => {
          const text = letters.join('');
          expect(compilePattern(pattern).matches(text)).toBe(asHtmlDoes(pattern, text));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('any text leads to a pattern or a PatternError', () => {
    const noise = fc.array(
      fc.constantFrom('(', ')', '[', ']', '{', '}', '1', ',', '*', '+', '?', '|', '\\', '^', '$', '-', 'a', 'd'),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          noise.map((parts) => parts.join('')),
        ),
        anyText,
        (pattern, text) => {
          try {
            compilePattern(pattern).matches(text);
          } catch (error) {
            expect(error).toBeInstanceOf(PatternError);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    '(a+)+b',
    '(a|a)*b',
    '(a|aa)+$b',
    '(.*)*x',
    '(a*)*(a*)*(a*)*b',
    'a?'.repeat(50) + 'a'.repeat(50),
    '(a{0,30}){0,30}b',
  ])('%s cannot hang a page', (pattern) => {
    expect(compilePattern(pattern).matches(`${'a'.repeat(600)}!`)).toBe(false);
  });
});
