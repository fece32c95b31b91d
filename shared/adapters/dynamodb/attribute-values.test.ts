import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromAttributeValues, toAttributeValues } from './attribute-values.ts';

const names = fc.string().filter((name) => name !== '__proto__');

/** What the table holds, with members that are `undefined`. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.double({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, noNaN: true }),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(null, undefined),
    fc.array(tie('value')),
    fc.uniqueArray(fc.string(), { minLength: 1 }).map((texts) => new Set(texts)),
    fc.dictionary(names, tie('value')),
  ),
}));
const items = fc.dictionary(names, value);

describe('attribute values', () => {
  it('are those that the SDK writes', () => {
    fc.assert(
      fc.property(items, (Item) => {
        expect(toAttributeValues({ Item })).toEqual({ Item: marshall(Item, { removeUndefinedValues: true }) });
      }),
    );
  });

  it('are read as the SDK reads them', () => {
    fc.assert(
      fc.property(items, (item) => {
        const Item = marshall(item, { removeUndefinedValues: true });
        expect(fromAttributeValues({ Item })).toEqual({ Item: unmarshall(Item) });
      }),
    );
  });

  it.each([
    ['no number', Number.NaN],
    ['an infinite number', Number.NEGATIVE_INFINITY],
    ['an integer that may not be exact', 2 ** 53],
    ['a large integer', 1n],
    ['a set of numbers', new Set([1])],
    ['bytes', new Uint8Array(1)],
    ['an object of a class', new Date(0)],
    ['a function', () => 1],
    ['a member that would become the prototype', JSON.parse('{"__proto__":{}}')],
  ])('are not made of %s', (_, value) => {
    expect(() => toAttributeValues({ Item: { list: [{ value }] } })).toThrow(/^The table (holds no|cannot hold)/);
  });

  it('of other types are not read', () => {
    expect(() => fromAttributeValues({ Item: { a: { NS: ['1'] } } })).toThrow('another type: NS');
  });
});
