import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxResponseBytes, sizeInResponse } from './response-body.ts';

describe('sizeInResponse', () => {
  it.each([
    ['{}', 4],
    ['{"a":"b"}', 15],
    ['"é🌵"', 12],
    [String.raw`"\n"`, 9],
  ])('counts %s as %d bytes', (json, bytes) => {
    expect(sizeInResponse(json)).toBe(bytes);
  });

  it('counts every text as JSON.stringify writes it', () => {
    const controls = fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code));
    const text = fc.string({ unit: fc.oneof(controls, fc.constantFrom('\ud800', '\udc00', '🌵', 'é', '\u2028')) });
    fc.assert(
      fc.property(text, (any) => {
        expect(sizeInResponse(any)).toBe(Buffer.byteLength(JSON.stringify(any)));
      }),
    );
  });

  it('is the size that the body adds to the response for Lambda', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const around = Buffer.byteLength('{"statusCode":200,"body":}');
        expect(Buffer.byteLength(JSON.stringify({ statusCode: 200, body: json }))).toBe(around + sizeInResponse(json));
      }),
    );
  });
});

it('the size limit leaves room for headers within the 6 MB of a Lambda response', () => {
  const sixMegabytes = 6 * 1024 * 1024;
  expect(maxResponseBytes).toBeLessThan(sixMegabytes - 10_240);
  expect(maxResponseBytes).toBeGreaterThan(5_500_000);
});
