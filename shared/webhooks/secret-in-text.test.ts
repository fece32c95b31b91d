import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUnicode } from '#support/arbitraries.ts';
import { formsOf, showsSecret } from './secret-in-text.ts';

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
  ])('is found %s', (_, text) => {
    expect(showsSecret(`<${text}>`, formsOf(secret), false)).toBe(true);
  });

  it('is found wherever the text is cut, down to three characters', () => {
    for (let length = 3; length <= secret.length; length++) {
      expect(showsSecret(`<${secret.slice(0, length)}`, [secret], true), String(length)).toBe(true);
    }
    for (const text of ['<Be', '<bread &#3', '50 %']) expect(showsSecret(text, [secret], true), text).toBe(false);
    for (const text of [String.raw`<Bearer\u0020s3c\u00`, '<Bearer%20s3%', '<Bearer&#3', '<Bearer s3cr3t&#x2F;tok']) {
      expect(showsSecret(text, [secret], true), text).toBe(true);
    }
  });

  it('is not looked for at the end of a text that is whole', () => {
    expect(showsSecret('Not a Bear', [secret], false)).toBe(false);
  });

  it('is found in base64 at every offset', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 6, unit: 'binary-ascii' }),
        fc.string(),
        (before, hidden, after) => {
          const encoded = Buffer.from(before + hidden + after).toString('base64');
          expect(showsSecret(encoded, formsOf(hidden), false)).toBe(true);
        },
      ),
    );
  });
});

it('no secret is found in a text without one', () => {
  fc.assert(
    fc.property(anyUnicode, (text) => {
      fc.pre(!text.toLowerCase().includes('s3cr3t'));
      expect(showsSecret(text, ['s3cr3t-token'], false)).toBe(false);
    }),
  );
});
