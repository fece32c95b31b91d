import { expect, it } from 'vitest';
import { tokenFormat } from './token.ts';

it('two formats share nothing but the alphabet', () => {
  const [one, other] = [tokenFormat('one_'), tokenFormat('other_')];
  const token = one.create();
  expect([one.hasPrefix(token), one.isWellFormed(token)]).toEqual([true, true]);
  expect([other.hasPrefix(token), other.isWellFormed(token)]).toEqual([false, false]);
  expect(other.isWellFormed(token.replace('one_', 'other_'))).toBe(true);
});

it('an altered token keeps its prefix and loses its form', () => {
  const format = tokenFormat('one_');
  const altered = `${format.create()}x`;
  expect([format.hasPrefix(altered), format.isWellFormed(altered)]).toEqual([true, false]);
});
