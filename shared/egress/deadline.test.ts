import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deadline, EgressError } from './egress-error.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a deadline', () => {
  it('aborts its signal with a timeout when the time is over', () => {
    const { signal } = deadline(1_000);
    vi.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toBeInstanceOf(EgressError);
    expect(signal.reason).toMatchObject({ errorClass: 'timeout' });
  });

  it('leaves no timer behind when it is cancelled', () => {
    const { signal, cancel } = deadline(1_000);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2_000);
    expect(signal.aborted).toBe(false);
  });
});
