import { describe, expect, it, vi } from 'vitest';
import { BoundedMap, cached, cachedByKey, lazy } from './cache.ts';

describe('BoundedMap', () => {
  it('replaces the least recently used entry', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  });

  it('counts a key once if it is set again', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect(['a', 'b'].map((key) => map.get(key))).toEqual([1, 3]);
  });

  it('computes a value once, and again if that failed', () => {
    const map = new BoundedMap<string, number>(2);
    const compute = vi.fn((key: string) => key.length);
    compute.mockImplementationOnce(() => {
      throw new Error('not yet');
    });
    expect(() => map.getOrInsertComputed('ab', compute)).toThrow('not yet');
    expect([1, 2].map(() => map.getOrInsertComputed('ab', compute))).toEqual([2, 2]);
    expect(compute).toHaveBeenCalledTimes(2);
  });
});

describe('cached', () => {
  it('loads once and keeps the value until it expires', async () => {
    let time = 0;
    const load = vi.fn(async () => ++time);
    const read = cached(load, 1_000, () => time);
    expect(load).not.toHaveBeenCalled();
    const first = await read();
    time = 999;
    expect(await read()).toBe(first);
    expect(load).toHaveBeenCalledTimes(1);
    time = 1_001;
    expect(await read()).not.toBe(first);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('shares one load among concurrent requests', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const load = vi.fn(() => promise);
    const read = cached(load, 1_000, () => 0);
    const readers = [read(), read(), read()];
    resolve('value');
    expect(await Promise.all(readers)).toEqual(['value', 'value', 'value']);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('does not keep a failed load, and rejects all requests that waited for it', async () => {
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('No')).mockResolvedValue('value');
    const read = cached(load, 1_000, () => 0);
    const results = await Promise.allSettled([read(), read()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(load).toHaveBeenCalledTimes(1);
    expect(await read()).toBe('value');
  });

  it('keeps a newer value if an older load fails later', async () => {
    let time = 0;
    const old = Promise.withResolvers<string>();
    const load = vi.fn<() => Promise<string>>().mockReturnValueOnce(old.promise).mockResolvedValue('new');
    const read = cached(load, 1_000, () => time);
    const waiting = read();
    time = 2_000;
    expect(await read()).toBe('new');
    old.reject(new Error('Too late'));
    await expect(waiting).rejects.toThrow('Too late');
    expect(await read()).toBe('new');
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('loads again for a caller that requires a newer value, once for all such callers', async () => {
    let time = 0;
    const load = vi.fn(async () => time);
    const read = cached(load, 1_000, () => time);
    await read();
    time = 100;
    expect(await read(101)).toBe(0);
    expect(await Promise.all([read(100), read(100), read(50)])).toEqual([100, 100, 100]);
    expect(await read()).toBe(100);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('keeps its value if a newer one cannot be loaded', async () => {
    let time = 0;
    const load = vi.fn<() => Promise<string>>().mockResolvedValueOnce('value').mockRejectedValue(new Error('No'));
    const read = cached(load, 1_000, () => time);
    await read();
    time = 500;
    const rejected = read(100);
    expect(await read()).toBe('value');
    await expect(rejected).rejects.toThrow('No');
    expect(await read()).toBe('value');
    expect(load).toHaveBeenCalledTimes(2);
  });
});

describe('cachedByKey', () => {
  it('loads again for a caller that requires a newer value', async () => {
    let time = 0;
    const load = vi.fn(async () => time);
    const read = cachedByKey(load, Number.POSITIVE_INFINITY, () => time, 2);
    await read('a');
    time = 100;
    expect([await read('a', 101), await read('a', 100)]).toEqual([0, 100]);
  });

  it('removes the least recently used key', async () => {
    const load = vi.fn(async (key: string) => key);
    const read = cachedByKey(load, 1_000, () => 0, 2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await read(key);
    expect(load.mock.calls.flat()).toEqual(['a', 'b', 'c', 'b']);
  });
});

describe('lazy', () => {
  it('creates the value at the first use, and only once', () => {
    const make = vi.fn(() => ({}));
    const read = lazy(make);
    expect(make).not.toHaveBeenCalled();
    expect(read()).toBe(read());
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('caches a value that is undefined', () => {
    const make = vi.fn(() => undefined);
    const read = lazy(make);
    read();
    read();
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('tries again after a failure', () => {
    const make = vi
      .fn<() => string>(() => 'value')
      .mockImplementationOnce(() => {
        throw new Error('No');
      });
    const read = lazy(make);
    expect(read).toThrow('No');
    expect(read()).toBe('value');
  });
});
