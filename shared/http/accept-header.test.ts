import { expect, it } from 'vitest';
import { parseAcceptHeader } from './language.ts';

it('an Accept header is read as names and qualities in the given order', () => {
  expect(parseAcceptHeader('pt-BR, ES;q=0.5 , * ; Q=0')).toEqual([
    { name: 'pt-br', quality: 1 },
    { name: 'es', quality: 0.5 },
    { name: '*', quality: 0 },
  ]);
});

it.each(['x', '2', '-1', '0,5', ''])('an invalid quality counts as 0: q=%s', (quality) => {
  expect(parseAcceptHeader(`gzip;q=${quality}`)[0]).toEqual({ name: 'gzip', quality: 0 });
});

it('only the beginning of a long header is read', () => {
  expect(parseAcceptHeader('gzip,'.repeat(100_000))).toHaveLength(20);
});
