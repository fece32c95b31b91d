import { expect, it } from 'vitest';
import { spentBetween } from './process-usage.ts';

it('the report sums up by part what processes have spent in between, and counts a new one from its start', () => {
  const before = [
    { pid: 1, part: 'world', seconds: 2 },
    { pid: 2, part: 'ReceiveEvents', seconds: 1 },
    { pid: 3, part: 'ReceiveEvents', seconds: 5 },
  ];
  const after = [
    { pid: 1, part: 'world', seconds: 2.5 },
    { pid: 2, part: 'ReceiveEvents', seconds: 4 },
    { pid: 4, part: 'ReceiveEvents', seconds: 0.5 },
  ];
  expect(Object.fromEntries(spentBetween(before, after))).toEqual({ world: 0.5, ReceiveEvents: 3.5 });
});
