import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUnicode } from '#support/arbitraries.ts';
import { formsOf, redact } from './redact.ts';

const secret = 'Bearer s3cr3t/token"';

describe('a secret', () => {
  it.each([
    ['as it is', secret],
    ['in capital letters', secret.toUpperCase()],
    ['in a URL', 'Bearer%20s3cr3t%2Ftoken%22'],
    ['in a form', 'Bearer+s3cr3t%2Ftoken%22'],
    ['in JSON', String.raw`Bearer s3cr3t/token\"`],
    ['in JSON of PHP', String.raw`Bearer s3cr3t\/token\"`],
    ['in JSON of Gson', String.raw`Bearer s3cr3t/token\"`.replace('t', String.raw`\u0074`)],
    ['in JSON of .NET', String.raw`Bearer s3cr3t\u002Ftoken\u0022`],
    ['in JavaScript', String.raw`Bearer s3cr3t\x2ftoken\x22`],
    ['in HTML', 'Bearer s3cr3t/token&quot;'],
    ['in HTML of Go', 'Bearer s3cr3t/token&#34;'],
    ['in HTML of Python', 'Bearer s3cr3t&#x2F;token&#x22;'],
    ['in base64', Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1)],
    ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
  ])('is removed %s', (_, text) => {
    expect(redact(`<${text}>`, formsOf(secret), false)).toMatch(/^<\*\*\*.?>$/);
  });

  it('is removed wherever the text is cut, down to three characters', () => {
    for (let length = 3; length <= secret.length; length++) {
      expect(redact(`<${secret.slice(0, length)}`, [secret], true)).toBe('<***');
    }
    for (const text of ['<Be', '<bread &#3', '50 %']) expect(redact(text, [secret], true)).toBe(text);
    for (const text of [String.raw`<Bearer\u0020s3c\u00`, '<Bearer%20s3%', '<Bearer&#3', '<Bearer s3cr3t&#x2F;tok']) {
      expect(redact(text, [secret], true)).toBe('<***');
    }
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
          const left = redact(encoded, formsOf(hidden), false);
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
