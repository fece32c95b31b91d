import { describe, expect, it, vi } from 'vitest';
import { lazy } from './cache.ts';

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
