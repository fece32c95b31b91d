import { describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { describeError, log } from './logger.ts';

describe('log', () => {
  it('writes one object per line, with the level that alarms filter by', () => {
    const entries = captureLog();
    log('warn', 'flow-json.orphaned', { flow: 'id' });
    expect(entries).toEqual([{ level: 'warn', event: 'flow-json.orphaned', flow: 'id' }]);
  });
});

describe('describeError', () => {
  it('returns the name, message and location of an error', () => {
    expect(describeError(new RangeError('Too much'))).toEqual({
      error: 'RangeError',
      error_message: 'Too much',
      stack: expect.stringContaining('logger.test.ts'),
    });
  });

  it('reveals nothing of a thrown value that is not an error', () => {
    expect(describeError('secret')).toEqual({ error: 'string' });
    expect(describeError({ token: 'secret' })).toEqual({ error: 'object' });
  });
});
