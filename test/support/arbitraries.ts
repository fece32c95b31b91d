import fc from 'fast-check';

/** Text of any UTF-16 code units: control characters, halves of surrogate pairs and all. */
export const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }))
  .map((codeUnits) => String.fromCharCode(...codeUnits));
