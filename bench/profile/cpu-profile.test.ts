import { expect, it } from 'vitest';
import { type CpuProfile, sharesBy } from './cpu-profile.ts';

const node = (id: number, functionName: string, children: number[] = [], url = 'file:///a.mjs') => ({
  id,
  callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 },
  children,
});

// root → outer → inner → outer, and root → (idle)
const profile: CpuProfile = {
  nodes: [
    node(1, '(root)', [2, 5], ''),
    node(2, 'outer', [3]),
    node(3, 'inner', [4]),
    node(4, 'outer'),
    node(5, '(idle)', [], ''),
  ],
  samples: [2, 3, 3, 4, 5, 5, 5, 5],
};

it('adds up samples by key, without idle ones, and counts a function that calls itself once', () => {
  const shares = sharesBy(profile, ({ functionName, url }) => (url === '' ? undefined : functionName));
  expect(Object.fromEntries(shares)).toEqual({
    outer: { self: 0.5, total: 1 },
    inner: { self: 0.5, total: 0.75 },
  });
});
