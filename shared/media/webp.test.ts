import { expect, it } from 'vitest';
import { isStillWebp } from './file-types.ts';

const webp = (chunk: string, flags = 0) =>
  Buffer.from(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0${String.fromCharCode(flags)}`, 'latin1');

it.each([
  ['a lossy picture', webp('VP8 '), true],
  ['a lossless picture', webp('VP8L', 0b10), true],
  ['an extended picture with transparency and metadata', webp('VP8X', 0b0011_1100), true],
  ['an animation', webp('VP8X', 0b10), false],
  ['an animation with transparency', webp('VP8X', 0b0001_0010), false],
  ['a file that ends in its header', Buffer.from('RIFF\0\0\0\0WEBPVP8X', 'latin1'), true],
  ['another RIFF file', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), false],
  ['no bytes', Buffer.alloc(0), false],
])('%s is still: %#', (_, bytes, still) => {
  expect(isStillWebp(bytes)).toBe(still);
});
