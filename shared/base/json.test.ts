import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalNumber,
  isNumber,
  isObject,
  isRawNumber,
  nestsDeeperThan,
  numberText,
  parseExactJson,
  toDouble,
  writeJson,
} from './json.ts';

describe('writeJson', () => {
  it('writes what can be written', () => {
    expect(writeJson({ a: [1, null] })).toBe('{"a":[1,null]}');
  });

  it('returns nothing for thousands of nested levels', () => {
    expect(writeJson(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))).toBeUndefined();
  });

  it('passes other errors on', () => {
    expect(() => writeJson({ a: 1n })).toThrow(TypeError);
  });
});

const roundTrip = (text: string) => JSON.stringify(parseExactJson(text));

describe('the canonical form of a number', () => {
  const canonical = (text: string) => JSON.stringify(canonicalNumber(parseExactJson(text) as number));

  it.each([
    ['1', '1.0', '10e-1', '1E+0', '0.1e1'],
    ['-1200', '-1.2e3', '-1200.00'],
    ['0', '-0', '0.000', '0e7'],
    ['12345678901234567890', '12345678901234567890.0', '1.234567890123456789e19'],
    ['1e400', '10e399'],
  ])('is the same for %s, however it is written', (first, ...others) => {
    for (const other of others) expect(canonical(other), other).toBe(canonical(first));
  });

  it.each([
    ['1', '-1'],
    ['1', '10'],
    ['12345678901234567890', '12345678901234567891'],
    ['1e400', '1e401'],
    ['1e99999999999999999999', '1e99999999999999999998'],
  ])('differs between %s and %s', (one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });

  it('is found in a long number', () => {
    const zeros = '0'.repeat(500_000);
    expect(canonical(`1${zeros}1`)).toHaveLength(500_004);
  });

  it('has the value of the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(Number(JSON.stringify(canonicalNumber(number)))).toBe(number === 0 ? 0 : number);
      }),
    );
  });
});

describe('JSON', () => {
  it('with the same name twice keeps the last value', () => {
    expect(roundTrip('{"a":1.0,"b":{"a":2.0},"a":[3.0],"__proto__":1.0,"__proto__":{"c":4.0}}')).toBe(
      '{"a":[3.0],"b":{"a":2.0},"__proto__":{"c":4.0}}',
    );
  });

  it('of any kind is parsed and written as `JSON.parse` and `JSON.stringify` do', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const written = JSON.stringify(JSON.parse(text));
        expect(JSON.parse(roundTrip(text))).toEqual(JSON.parse(written));
      }),
    );
  });

  it('of any kind is written again byte for byte, except for white space', () => {
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,9})?([eE][+-]?\d{1,3})?$/);
    const written = fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text));
    const name = fc.oneof(
      written,
      fc.constantFrom('"__proto__"', '"constructor"', '"length"', '"toJSON"', '"rawJSON"'),
    );
    const { document } = fc.letrec<{ document: string }>((tie) => ({
      document: fc.oneof(
        { depthSize: 'small' },
        number,
        written,
        fc.constantFrom('true', 'false', 'null'),
        fc.array(tie('document')).map((items) => `[${items.join(',')}]`),
        fc
          .uniqueArray(fc.tuple(name, tie('document')), { selector: ([key]) => key })
          // Every parser puts names made of digits first.
          .map((members) => members.filter(([key]) => !/^"\d+"$/.test(key)))
          .map((members) => `{${members.map((member) => member.join(':')).join(',')}}`),
      ),
    }));
    fc.assert(
      fc.property(document, (text) => {
        expect(roundTrip(text)).toBe(text);
      }),
    );
  });

  it.each(['', '{', '[1.0', '01.5', 'undefined'])('is rejected if it is invalid: %s', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});

describe('a number that a double cannot hold', () => {
  const [exact, plain, object] = parseExactJson('[1.0,1,{"rawJSON":"1"}]') as [unknown, unknown, unknown];

  it('is neither an object nor a container', () => {
    expect([exact, plain, object, '1', null].map(isNumber)).toEqual([true, true, false, false, false]);
    expect([exact, plain, object, '1', null].map(isRawNumber)).toEqual([true, false, false, false, false]);
    expect([exact, plain, object].map(isObject)).toEqual([false, false, true]);
    expect([exact, plain, object].map((value) => nestsDeeperThan(0, value))).toEqual([false, false, true]);
  });

  it.each([
    ['1.0', 1],
    ['12345678901234567890', 12345678901234567000],
    ['1e400', Number.POSITIVE_INFINITY],
    ['7', 7],
  ])('%s keeps its text and its nearest double', (text, double) => {
    const number = parseExactJson(text);
    if (!isNumber(number)) throw new Error('not a number');
    expect([numberText(number), toDouble(number)]).toEqual([text, double]);
  });
});
