import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxAnswerBytes, sizeInAnswer } from './answer-size.ts';

describe('sizeInAnswer', () => {
  it.each([
    ['{}', 4],
    ['{"a":"b"}', 15],
    ['"é🌵"', 12],
    [String.raw`"\n"`, 9],
  ])('counts %s as %d bytes', (json, bytes) => {
    expect(sizeInAnswer(json)).toBe(bytes);
  });

  it('is what the body adds to the answer that Lambda gets', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const around = Buffer.byteLength('{"statusCode":200,"body":}');
        expect(Buffer.byteLength(JSON.stringify({ statusCode: 200, body: json }))).toBe(around + sizeInAnswer(json));
      }),
    );
  });
});

it('leaves room for headers within the 6 MB of a Lambda answer', () => {
  const sixMegabytes = 6 * 1024 * 1024;
  expect(maxAnswerBytes).toBeLessThan(sixMegabytes - 10_240);
  expect(maxAnswerBytes).toBeGreaterThan(5_500_000);
});
