import { describe, expect, it } from 'vitest';
import { select } from './selection.ts';

const table = { size: 1, cost: 2, memory: 3 };

describe('the choice of measurements', () => {
  it('selects everything without a list', () => {
    expect(Object.fromEntries(select(table, undefined))).toEqual(table);
  });

  it('selects what the list names, each once and in the order of the table', () => {
    expect(select(table, 'memory, size,size')).toEqual([
      ['size', 1],
      ['memory', 3],
    ]);
  });

  it.each(['speed', '', 'size,speed', 'toString'])(
    'rejects a name that does not exist, and lists those that do: %j',
    (names) => {
      expect(() => select(table, names)).toThrow('Choose from: size, cost, memory');
    },
  );
});
