import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from './exact-json.ts';

const roundTrip = (text: string) => JSON.stringify(parseExactJson(text));

describe('JSON', () => {
  it.each([
    '{"id":12345678901234567890}',
    '[9007199254740993,-9007199254740993]',
    '{"price":1.0,"rate":1.50,"big":1e400,"small":1E-7,"zero":-0}',
    '[1.10,{"a":[0.1000000000000000055511151231257827]}]',
    '-0',
    '{"text":"1.0, 12345678901234567890","n":1}',
    '{"a":1,"b":[true,null,"x"],"__proto__":{"c":2.0}}',
  ])('comes back digit for digit: %s', (text) => {
    expect(roundTrip(`{"v":${text}}`)).toBe(`{"v":${text}}`);
  });

  it('is parsed as ever where no digit can be lost', () => {
    const text = '{"a":[1,-2,123456789012345],"b":"1.0"}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it('of any kind comes back as `JSON.parse` and `JSON.stringify` have it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const written = JSON.stringify(JSON.parse(text));
        expect(JSON.parse(roundTrip(text))).toEqual(JSON.parse(written));
      }),
    );
  });

  it('keeps every number as it was written', () => {
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(fc.array(number, { minLength: 1 }), (numbers) => {
        expect(roundTrip(`[${numbers.join(',')}]`)).toBe(`[${numbers.join(',')}]`);
      }),
    );
  });

  it.each(['', '{', '[1.0', '01.5', 'undefined'])('is refused where it is none: %s', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});
