import { describe, expect, it } from 'vitest';
import { capacityOf } from './counting-proxy.ts';

describe('the counting proxy', () => {
  it.each([
    ['one table', { ConsumedCapacity: { CapacityUnits: 2 } }, 2],
    ['the tables of a batch', { ConsumedCapacity: [{ CapacityUnits: 1 }, { CapacityUnits: 2.5 }] }, 3.5],
    ['a failed call', {}, 0],
  ])('sums the capacity of %s', (_, response, units) => {
    expect(capacityOf(response)).toBe(units);
  });
});
