import { describe, expect, it } from 'vitest';
import { type Figure, failed, isKept, notMeasured, select, table } from './report.ts';

const figure = (values: Partial<Figure>): Figure => ({ what: 'Something', value: 10, unit: 'ms', ...values });
const rowOf = (one: Figure) => table([one]).split('\n').at(-1);

describe('a limit of a figure', () => {
  it.each([
    ['below an upper limit', { budget: 11 }, true],
    ['equal to an upper limit', { budget: 10 }, true],
    ['above an upper limit', { budget: 9 }, false],
    ['above a lower limit', { atLeast: 9 }, true],
    ['equal to a lower limit', { atLeast: 10 }, true],
    ['below a lower limit', { atLeast: 11 }, false],
    ['without a limit', {}, true],
    ['that is not a number, with an upper limit', { value: Number.NaN, budget: 1 }, false],
    ['that is not a number, with a lower limit', { value: Number.NaN, atLeast: 1 }, false],
  ])('is kept or broken by a figure %s', (_, values, kept) => {
    expect(isKept(figure(values))).toBe(kept);
  });
});

describe('a row of the table', () => {
  it('shows the figure beside its limit', () => {
    expect(rowOf(figure({ budget: 12.345 }))).toBe('| Something | 10 ms | ≤ 12.3 ms | yes |');
    expect(rowOf(figure({ atLeast: 250 }))).toBe('| Something | 10 ms | ≥ 250 ms | **no** |');
    expect(rowOf(figure({}))).toBe('| Something | 10 ms |  |  |');
  });

  it('says why a figure is missing, which breaks no limit', () => {
    const missing = { ...notMeasured('Memory', 'needs /proc'), unit: 'MB', budget: 5 };
    expect(rowOf(missing)).toBe('| Memory | needs /proc | ≤ 5 MB | not measured |');
    expect(isKept(missing)).toBe(true);
  });

  it('says why a measurement failed, which counts as not kept', () => {
    const failure = failed('latency', new Error('500'));
    expect(rowOf(failure)).toBe('| Measurement latency | Error: 500 |  | **no** |');
    expect(isKept(failure)).toBe(false);
  });
});

const measurements = { size: 1, cost: 2, memory: 3 };

describe('the choice of measurements', () => {
  it('selects everything without a list', () => {
    expect(Object.fromEntries(select(measurements, undefined))).toEqual(measurements);
  });

  it('selects what the list names, each once and in the order of the table', () => {
    expect(select(measurements, 'memory, size,size')).toEqual([
      ['size', 1],
      ['memory', 3],
    ]);
  });

  it.each(['speed', '', 'size,speed', 'toString'])(
    'rejects a name that does not exist, and lists those that do: %j',
    (names) => {
      expect(() => select(measurements, names)).toThrow('Choose from: size, cost, memory');
    },
  );
});
