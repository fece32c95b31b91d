import { describe, expect, it } from 'vitest';
import { accessOf, capacityOf } from './counting-proxy.ts';

describe('the counting proxy', () => {
  it.each([
    ['PutItem', {}, false, false],
    ['Query', {}, true, false],
    ['GetItem', { ConsistentRead: true }, true, true],
    ['BatchGetItem', { RequestItems: { table: {} } }, true, false],
    ['BatchGetItem', { RequestItems: { table: { ConsistentRead: true } } }, true, true],
  ])('distinguishes reads and writes: %s %j', (name, call, isRead, isConsistentRead) => {
    expect(accessOf(name, call)).toEqual({ isRead, isConsistentRead });
  });

  it.each([
    ['one table', { ConsumedCapacity: { CapacityUnits: 2 } }, 2],
    ['the tables of a batch', { ConsumedCapacity: [{ CapacityUnits: 1 }, { CapacityUnits: 2.5 }] }, 3.5],
    ['a failed call', {}, 0],
  ])('sums the capacity of %s', (_, response, units) => {
    expect(capacityOf(response)).toBe(units);
  });
});
