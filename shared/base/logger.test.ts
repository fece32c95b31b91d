import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { captureLog, type LogEntry } from '#support/fakes/captured-log.ts';
import { describeError, log, originalStack, withLogContext } from './logger.ts';

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

/** Returns the stack of the error that a function's bundle throws when it is loaded without its environment. */
async function stackOfBundle(name: string): Promise<string> {
  const bundle = pathToFileURL(join(inject('functionsDirectory'), name, 'index.mjs'));
  const load = `import('${bundle}').catch(({ stack }) => console.log(stack))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', load], { env: {} });
  return stdout;
}

function lineOf(file: string, text: string): number {
  return (
    readFileSync(file, 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1
  );
}

describe('originalStack', () => {
  it('maps a position in the bundle to the source', async () => {
    const stack = await stackOfBundle('get-flow');
    expect(stack).toContain('get-flow/index.mjs:');
    const original = originalStack(stack);
    expect(original).toContain('Error: The environment of the function lacks');
    for (const text of ['throw new Error', 'now, mark, access, ...openers']) {
      expect(original).toContain(`shared/operations/serve.ts:${lineOf('shared/operations/serve.ts', text)}:`);
    }
    expect(original).not.toContain('index.mjs');
  });

  it('keeps the positions that no source map covers', () => {
    const stack = 'Error: x\n    at run (file:///nowhere/index.mjs:1:2)\n    at node:internal/timers:3:4';
    expect(originalStack(stack)).toBe(stack);
  });

  it.each(['', 'no JSON', '{}', '{"version":3,"sources":[],"mappings":""}'])(
    'does not fail for the source map %j',
    async (map) => {
      const folder = await mkdtemp(join(tmpdir(), 'original-stack-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await writeFile(join(folder, 'index.mjs.map'), map);
      const stack = `Error: x\n    at async run (${pathToFileURL(join(folder, 'index.mjs'))}:1:2)`;
      expect(originalStack(stack)).toBe(stack);
    },
  );
});
