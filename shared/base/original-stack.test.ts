import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { originalStack } from './logger.ts';

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
