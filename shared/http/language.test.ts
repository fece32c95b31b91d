import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { languages, negotiateLanguage, render } from './language.ts';

describe('negotiateLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['es', 'es'],
    ['ES', 'es'],
    ['pt', 'pt-BR'],
    ['pt-BR', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['es-419, en;q=0.5', 'es'],
    ['en-GB', 'en'],
    ['pt;q=0.1, es;q=0.9', 'es'],
    ['es;q=0.9, pt;q=0.9', 'es'],
    ['fr, de, pt;q=0.3', 'pt-BR'],
    ['fr', 'en'],
    ['*', 'en'],
    ['fr, *;q=0.1', 'en'],
    ['es;q=0.5, *;q=0.1', 'es'],
    ['es;q=0', 'en'],
    ['es;Q=0, pt', 'pt-BR'],
    ['es;q=0.000, pt;q=0.001', 'pt-BR'],
    [' es ; q=0.8 , en ; q=0.2 ', 'es'],
    ['es;q=abc, pt;q=0.1', 'pt-BR'],
    ['es;q=2, pt;q=0.1', 'pt-BR'],
    ['es;q=-1, pt;q=0.1', 'pt-BR'],
    [';;;,,,', 'en'],
    ['__proto__', 'en'],
    ['english', 'en'],
    ['espresso', 'en'],
  ])('negotiateLanguage negotiates %j as %s', (header, language) => {
    expect(negotiateLanguage(header)).toBe(language);
  });

  it('returns one of our languages for any header', () => {
    const piece = fc.constantFrom('es', 'pt-BR', 'q=', ';', ',', '*', '-', ' ', '0.5', '\r\n', '=');
    const header = fc.oneof(
      anyText,
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(header, (text) => {
        expect(languages).toContain(negotiateLanguage(text));
      }),
    );
  });

  it('reads only the beginning of a very long header', () => {
    expect(negotiateLanguage(`${'fr,'.repeat(100_000)}es`)).toBe('en');
  });
});

describe('render', () => {
  it('puts the form of a word that belongs to its number', () => {
    const counted = { en: '{max item|items}', 'pt-BR': '{max item|itens}', es: '{max elemento|elementos}' };
    expect(languages.map((language) => render(counted, language, { max: 1 }))).toEqual([
      '1 item',
      '1 item',
      '1 elemento',
    ]);
    expect(languages.map((language) => render(counted, language, { max: 0 }))).toEqual([
      '0 items',
      '0 itens',
      '0 elementos',
    ]);
  });

  const text = { en: 'The {field} of {field}, {other}.', 'pt-BR': 'O {field}.', es: 'El {field}.' };

  it('inserts the values into the text of the requested language', () => {
    expect(render(text, 'en', { field: 'name', other: 3 })).toBe('The name of name, 3.');
    expect(render(text, 'pt-BR', { field: 'name' })).toBe('O name.');
  });

  it('does not replace a placeholder without a value, or one within a value', () => {
    expect(render(text, 'en', { field: '{other}' })).toBe('The {other} of {other}, {other}.');
    expect(render({ en: '{toString} {__proto__}', 'pt-BR': '', es: '' }, 'en')).toBe('{toString} {__proto__}');
    expect(render(text, 'es', { field: '$& $1' })).toBe('El $& $1.');
  });
});
