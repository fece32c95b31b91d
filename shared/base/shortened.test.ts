import { expect, it } from 'vitest';
import { shortened } from './text.ts';

it.each([
  ['abc', 'abc'],
  ['abcd', 'abc…'],
  ['🙂🙂🙂', '🙂🙂🙂'],
  ['🙂🙂🙂🙂', '🙂🙂🙂…'],
  ['ab🙂', 'ab🙂'],
  ['ab🙂c', 'ab🙂…'],
])('shortened() leaves three characters of %s', (text, short) => {
  expect(shortened(text, 3)).toBe(short);
});
