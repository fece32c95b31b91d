import { afterEach, describe, expect, it, vi } from 'vitest';
import { requiredEnv } from './env.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('requiredEnv', () => {
  it('reads a variable', () => {
    vi.stubEnv('SOME_SETTING', 'value');
    expect(requiredEnv('SOME_SETTING')).toBe('value');
  });

  it.each(['', undefined])('names the variable that is %j', (value) => {
    vi.stubEnv('SOME_SETTING', value);
    expect(() => requiredEnv('SOME_SETTING')).toThrow('SOME_SETTING');
  });
});
