import { describe, expect, it, vi } from 'vitest';
import { cached, lazy } from './lazy.ts';

describe('lazy', () => {
  it('makes the value with the first use, and once', () => {
    const make = vi.fn(() => ({}));
    const read = lazy(make);
    expect(make).not.toHaveBeenCalled();
    expect(read()).toBe(read());
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('keeps what counts as nothing, too', () => {
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

describe('cached', () => {
  it('loads once and keeps the value until its time is over', async () => {
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

  it('shares one load between requests that come meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const load = vi.fn(() => promise);
    const read = cached(load, 1_000, () => 0);
    const readers = [read(), read(), read()];
    resolve('value');
    expect(await Promise.all(readers)).toEqual(['value', 'value', 'value']);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('forgets a failed load, and tells all who waited for it', async () => {
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('No')).mockResolvedValue('value');
    const read = cached(load, 1_000, () => 0);
    const results = await Promise.allSettled([read(), read()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(load).toHaveBeenCalledTimes(1);
    expect(await read()).toBe('value');
  });

  it('keeps a newer value when an older load fails late', async () => {
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

  it('loads again for a caller who demands something younger, and once for all of them', async () => {
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

  it('keeps what it holds when something younger cannot be loaded', async () => {
    let time = 0;
    const load = vi.fn<() => Promise<string>>().mockResolvedValueOnce('value').mockRejectedValue(new Error('No'));
    const read = cached(load, 1_000, () => time);
    await read();
    time = 500;
    const refused = read(100);
    expect(await read()).toBe('value');
    await expect(refused).rejects.toThrow('No');
    expect(await read()).toBe('value');
    expect(load).toHaveBeenCalledTimes(2);
  });
});
