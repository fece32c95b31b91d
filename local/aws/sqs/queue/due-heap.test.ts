import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Due, DueHeap } from './due-heap.ts';

const due = (dueAt: number): Due => ({ dueAt, heapIndex: -1 });

function drain(heap: DueHeap<Due>): number[] {
  const times: number[] = [];
  for (let item = heap.first; item; item = heap.first) {
    times.push(item.dueAt);
    heap.remove(item);
  }
  return times;
}

describe('due heap', () => {
  it('returns the earliest entry first, whatever was added and removed', async () => {
    await fc.assert(
      fc.property(fc.array(fc.record({ dueAt: fc.nat(50), removed: fc.boolean() })), (plan) => {
        const heap = new DueHeap<Due>();
        const items = plan.map(({ dueAt, removed }) => ({ item: due(dueAt), removed }));
        for (const { item } of items) heap.add(item);
        for (const { item, removed } of items) if (removed) heap.remove(item);
        const kept = plan.filter(({ removed }) => !removed).map(({ dueAt }) => dueAt);
        expect(drain(heap)).toEqual(kept.sort((a, b) => a - b));
      }),
    );
  });

  it('has no first entry when it is empty', () => {
    expect(new DueHeap().first).toBeUndefined();
  });
});
