import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUnicode } from '#support/arbitraries.ts';
import { encodingsOf, redact } from './redact.ts';

const secret = 'Bearer s3cr3t-token';

/** The ways to write a character that readers of a text undo. */
const writings: ((character: string) => string)[] = [
  (character) => character,
  (character) => character.toUpperCase(),
  (character) => `\\u${hex(character).padStart(4, '0')}`,
  (character) => `\\x${hex(character)}`,
  (character) => `\\u{${hex(character)}}`,
  (character) => `%${hex(character)}`,
  (character) => `%25${hex(character)}`,
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${hex(character)};`,
];
const hex = (character: string) => character.charCodeAt(0).toString(16);

const written = fc
  .array(fc.nat(writings.length - 1), { minLength: secret.length, maxLength: secret.length })
  .map((ways) => ways.map((way, index) => writings[way]?.(secret.charAt(index)) ?? '').join(''));

describe('a secret', () => {
  it('is removed however its characters are written', () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(redact(`<${text}>`, [secret], false)).toBe('<***>');
      }),
    );
  });

  it('is removed wherever the text is cut, down to three characters', () => {
    fc.assert(
      fc.property(written, fc.double({ min: 0, max: 1, noNaN: true }), (text, where) => {
        const kept = text.slice(0, Math.floor(where * text.length));
        const left = redact(`<${kept}`, [secret], true);
        expect(left.length).toBeLessThanOrEqual(Math.max('<***'.length, '<'.length + 3 * '&#x41;'.length));
        expect(left).not.toMatch(/<bear/i);
      }),
    );
  });

  it.each([
    '<Bea',
    '<Bearer s3c',
    '<Bearer s3cr3t-toke',
    String.raw`<Bearer\u0020s3c\u00`,
    '<Bearer%20s3%',
    '<Bearer&#3',
  ])('is removed where a cut has split it: %s', (text) => {
    expect(redact(text, [secret], true)).toBe('<***');
  });

  it('is not looked for at the end of a text that is whole', () => {
    expect(redact('Not a Bear', [secret], false)).toBe('Not a Bear');
  });

  it('is removed from base64 at every offset', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 6, unit: 'binary-ascii' }),
        fc.string(),
        (before, hidden, after) => {
          const encoded = Buffer.from(before + hidden + after).toString('base64');
          const left = redact(encoded, encodingsOf(hidden), false);
          expect(left).toContain('***');
        },
      ),
    );
  });

  it('does not keep another one from being removed', () => {
    expect(redact('aaaa-bbbb-cccc', ['aaaa-bbbb', 'bbbb-cccc'], false)).toBe('***');
    expect(redact('x aaaa x bbbb', ['bbbb', 'aaaa'], false)).toBe('x *** x ***');
  });
});

it('a text without secrets stays as it is', () => {
  fc.assert(
    fc.property(anyUnicode, (text) => {
      fc.pre(!text.includes('s3cr3t'));
      expect(redact(text, ['s3cr3t-token'], false)).toBe(text);
    }),
  );
});
