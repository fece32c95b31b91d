import { describe, expect, it } from 'vitest';
import { ExpiringCache } from './expiring-cache.ts';

function create(ttl: number) {
  const clock = { now: 1_000 };
  const cache = new ExpiringCache<number>(ttl, () => clock.now);
  const loads: string[] = [];
  const get = (key: string) =>
    cache.get(key, async () => {
      loads.push(key);
      return loads.length;
    });
  return { clock, cache, loads, get };
}

describe('ExpiringCache', () => {
  it('keeps a value until it expires', async () => {
    const { clock, get } = create(100);
    expect(await get('a')).toBe(1);
    clock.now += 99;
    expect(await get('a')).toBe(1);
    clock.now += 1;
    expect(await get('a')).toBe(2);
  });

  it('stores the values of different keys separately', async () => {
    const { get, loads } = create(100);
    await Promise.all([get('a'), get('b'), get('a')]);
    expect(loads).toEqual(['a', 'b']);
  });

  it('counts the time from when the value is loaded', async () => {
    const { clock, cache } = create(100);
    const slow = Promise.withResolvers<number>();
    const first = cache.get('a', () => slow.promise);
    clock.now += 1_000;
    slow.resolve(1);
    await first;
    expect(await cache.get('a', async () => 2)).toBe(1);
  });

  it('ExpiringCache does not keep failures', async () => {
    const { cache, get } = create(100);
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await get('a')).toBe(1);
  });

  it('keeps nothing if its time is 0', async () => {
    const { get } = create(0);
    expect(await Promise.all([get('a'), get('a')])).toEqual([1, 2]);
  });
});
