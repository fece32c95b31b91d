import { describe, expect, it } from 'vitest';
import { fileFaults, fileTypes, isStillWebp } from './media-limits.ts';

const fields = { typeField: 'type', sizeField: 'size' };
const faults = (type: string, size = 1) => fileFaults({ type, size }, fields);

describe('the type of a file', () => {
  it.each([...fileTypes, 'audio/ogg; codecs=opus', 'audio/ogg;codecs="opus"', 'TEXT/Plain ; charset=utf-8'])(
    'the type of a file may be %s',
    (type) => {
      expect(faults(type)).toEqual([]);
    },
  );

  it.each([
    '',
    'application/json',
    'text/html',
    'image',
    'audio/wav',
    'image/png\r\nX-Evil: 1',
    'image/png; name="a\r\nb"',
    'image/png; name="é"',
    'image/png;',
    'image/png, image/jpeg',
    '__proto__',
    'constructor',
    `image/png; x=${'x'.repeat(200)}`,
  ])('may not be %j, and the error names those that may', (type) => {
    expect(faults(type)).toEqual([{ field: 'type', rule: 'file_type', values: { types: fileTypes.join(', ') } }]);
  });
});

it.each([
  ['audio/opus', 'audio/ogg; codecs=opus'],
  ['IMAGE/JPG; q=1', 'image/jpeg'],
  ['audio/x-m4a', 'audio/mp4'],
])('the type %s comes with the name to send in its place', (type, instead) => {
  expect(faults(type)).toMatchObject([{ field: 'type', rule: 'file_type_name', values: { instead } }]);
  expect(faults(instead)).toEqual([]);
});

describe('the size of a file', () => {
  it.each([
    ['image/webp', 500 * 2 ** 10, '500 KB'],
    ['image/png', 5 * 2 ** 20, '5 MB'],
    ['audio/mpeg', 16 * 2 ** 20, '16 MB'],
    ['video/mp4', 16 * 2 ** 20, '16 MB'],
    ['application/pdf', 100 * 2 ** 20, '100 MB'],
  ])('of %s is at most %d bytes', (type, size, max) => {
    expect(faults(type, size)).toEqual([]);
    expect(faults(type, size + 1)).toEqual([{ field: 'size', rule: 'file_size', values: { type, max } }]);
  });
});

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
