import { expect, it } from 'vitest';
import { isVisibleAscii, shorten } from './text.ts';

it.each([
  ['abc', 'abc'],
  ['abcd', 'abc…'],
  ['🙂🙂🙂', '🙂🙂🙂'],
  ['🙂🙂🙂🙂', '🙂🙂🙂…'],
  ['ab🙂', 'ab🙂'],
  ['ab🙂c', 'ab🙂…'],
])('shorten() leaves three characters of %s', (text, short) => {
  expect(shorten(text, 3)).toBe(short);
});

it.each(['a', 'wacid.HBgL+/=', 'Y2FwaV9ncm91cDoxOTU1MDEwMA==', '!~', 'x'.repeat(512)])(
  'a text is visible ASCII: %j',
  (text) => {
    expect(isVisibleAscii(text)).toBe(true);
  },
);

it.each(['', ' ', 'a b', 'a\r\nb', 'a\n', '\u007f', 'é', '👋', 'x'.repeat(513)])(
  'a text is not visible ASCII: %j',
  (text) => {
    expect(isVisibleAscii(text)).toBe(false);
  },
);
