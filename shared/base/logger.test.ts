import { beforeEach, describe, expect, it } from 'vitest';
import { captureLog, type LogEntry } from '#support/fakes/captured-log.ts';
import { describeError, log, withLogContext } from './logger.ts';

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

let logged: LogEntry[];
beforeEach(() => {
  logged = captureLog();
});

it('every line in a context says what it belongs to, also after a pause and in a context within', async () => {
  await withLogContext({ message: '1' }, async () => {
    await Promise.resolve();
    log('info', 'outer');
    await withLogContext({ delivery: '2' }, async () => log('warn', 'inner', { count: 1 }));
  });
  log('info', 'outside');
  expect(logged).toEqual([
    { level: 'info', event: 'outer', message: '1' },
    { level: 'warn', event: 'inner', message: '1', delivery: '2', count: 1 },
    { level: 'info', event: 'outside' },
  ]);
});

it('lines of contexts that run at the same time are not mixed up', async () => {
  const run = (delivery: string) =>
    withLogContext({ delivery }, async () => {
      for (let turn = 0; turn < 3; turn++) {
        await Promise.resolve();
        log('info', delivery);
      }
    });
  await Promise.all([run('a'), run('b')]);
  expect(logged).toHaveLength(6);
  expect(logged.filter(({ event, delivery }) => event !== delivery)).toEqual([]);
});
