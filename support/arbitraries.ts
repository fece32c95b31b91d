import fc from 'fast-check';

/** Text of any UTF-16 code units: control characters, halves of surrogate pairs and all. */
export const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }))
  .map((codeUnits) => String.fromCharCode(...codeUnits));

/** Text of any Unicode characters. The same as `fc.string({ unit: 'binary' })`, which takes a second to prepare it. */
export const anyUnicode = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff })))
  .map((codePoints) => String.fromCodePoint(...codePoints));
