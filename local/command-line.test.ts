import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const run = (program: string, ...words: string[]) => {
  const { NODE_COMPILE_CACHE = '' } = process.env;
  const options = { encoding: 'utf8', env: { NODE_COMPILE_CACHE } } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, program), ...words],
    options,
  );
  return { status, stdout, stderr };
};

it.each([
  ['start/start.js', 'npm start'],
  ['receive.ts', 'npm run receive'],
  ['tail/run.ts', 'npm run tail'],
])('%s explains itself', (program, command) => {
  const usage = expect.stringContaining(`Usage: ${command} -- `);
  expect(run(program, '--help')).toEqual({ status: 0, stdout: usage, stderr: '' });
});

describe.each([
  ['receive', 'receive.ts'],
  ['tail', 'tail/run.ts'],
])('npm run %s', (name, program) => {
  it('says which option does not exist, and shows its usage', () => {
    const { status, stderr } = run(program, '--lvie');
    expect([status, stderr.split('\n').slice(0, 2)]).toEqual([
      2,
      ["Unknown option '--lvie'.", expect.stringContaining(`Usage: npm run ${name} -- `)],
    ]);
  });
});
