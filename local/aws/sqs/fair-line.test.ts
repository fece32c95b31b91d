import { describe, expect, it } from 'vitest';
import { FairLine } from './fair-line.ts';

function drain(line: FairLine<string>): string[] {
  const items: string[] = [];
  for (let item = line.shift(); item !== undefined; item = line.shift()) items.push(item);
  return items;
}

describe('fair line', () => {
  it('keeps the order within one group', () => {
    const line = new FairLine<string>();
    for (const item of ['a', 'b', 'c', 'd', 'e']) line.push('', item);
    expect(drain(line)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(line.shift()).toBeUndefined();
  });

  it('serves the groups in turns', () => {
    const line = new FairLine<string>();
    for (const item of ['n1', 'n2', 'n3', 'n4']) line.push('noisy', item);
    line.push('quiet', 'q1');
    line.push('', 'u1');
    line.push('', 'u2');
    expect(drain(line)).toEqual(['n1', 'q1', 'u1', 'n2', 'u2', 'n3', 'n4']);
  });

  it('serves a group again after it was empty', () => {
    const line = new FairLine<string>();
    line.push('a', 'a1');
    expect(line.shift()).toBe('a1');
    line.push('b', 'b1');
    line.push('a', 'a2');
    expect(drain(line)).toEqual(['b1', 'a2']);
  });

  // Linear work takes a tenth of a second; quadratic work would not end in the time of a test.
  it('handles very many items and groups', () => {
    const line = new FairLine<number>();
    for (let n = 0; n < 200_000; n += 1) line.push(`group-${n % 20_000}`, n);
    let taken = 0;
    while (line.shift() !== undefined) taken += 1;
    expect(taken).toBe(200_000);
  });
});
