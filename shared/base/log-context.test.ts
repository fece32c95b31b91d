import { beforeEach, expect, it } from 'vitest';
import { captureLog, type LogEntry } from '#support/fakes/captured-log.ts';
import { log, withLogContext } from './logger.ts';

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
