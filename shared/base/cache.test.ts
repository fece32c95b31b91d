import { describe, expect, it } from 'vitest';
import { BoundedMap } from './cache.ts';

describe('BoundedMap', () => {
  it('replaces the entry that was used least recently', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  });

  it('counts a key that is set again once', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect(['a', 'b'].map((key) => map.get(key))).toEqual([1, 3]);
  });

  it('forgets what is deleted', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.delete('a');
    expect(map.get('a')).toBeUndefined();
  });
});
