import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deadline } from './connect.ts';
import { classify, EgressError, type ErrorClass } from './egress-error.ts';

describe('classify', () => {
  it.each<[ErrorClass, object]>([
    ['refused', { code: 'ECONNREFUSED', syscall: 'connect' }],
    ['unreachable', { code: 'EHOSTUNREACH', syscall: 'connect' }],
    ['unreachable', { code: 'ENETUNREACH', syscall: 'connect' }],
    ['connect-timeout', { code: 'ETIMEDOUT' }],
    ['reset', { code: 'ECONNRESET', syscall: 'read' }],
    ['reset', { code: 'EPIPE', syscall: 'write' }],
    ['closed-early', { code: 'ECONNRESET' }],
    ['closed-early', { code: 'HPE_INVALID_EOF_STATE' }],
    ['headers-too-large', { code: 'HPE_HEADER_OVERFLOW' }],
    ['invalid-response', { code: 'HPE_INVALID_CONSTANT' }],
    ['tls', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }],
    ['reset', {}],
  ])('returns %s for an error with %j', (errorClass, members) => {
    expect(classify(Object.assign(new Error('10.0.0.1'), members))).toBe(errorClass);
  });

  it('keeps the class of an error that is already classified', () => {
    expect(classify(new EgressError('dns'))).toBe('dns');
  });
});

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
