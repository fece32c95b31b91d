import { describe, expect, it } from 'vitest';
import { type CpuProfile, sharesBy } from './cpu-profile.ts';

const node = (id: number, functionName: string, children: number[] = [], url = 'file:///a.mjs') => ({
  id,
  callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 },
  children,
});

// root → outer → inner → outer, root → (idle), and root → readEvent → read
const profile: CpuProfile = {
  nodes: [
    node(1, '(root)', [2, 5, 6], ''),
    node(2, 'outer', [3]),
    node(3, 'inner', [4]),
    node(4, 'outer'),
    node(5, '(idle)', [], ''),
    node(6, 'readEvent', [7], 'file:///runtime/channel.mjs'),
    node(7, 'read', [], ''),
  ],
  samples: [2, 3, 3, 4, 5, 5, 5, 5, 7, 7],
};

describe('a summary of a profile', () => {
  it('adds up samples by key, without those that wait, and counts a function that calls itself once', () => {
    const shares = sharesBy(profile, ({ functionName, url }) => (url === '' ? undefined : functionName));
    expect(Object.fromEntries(shares)).toEqual({
      outer: { self: 0.5, total: 1 },
      inner: { self: 0.5, total: 0.75 },
    });
  });
});
