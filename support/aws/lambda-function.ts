import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FunctionDefinition } from '#local/aws/template/functions.ts';

/** A function for tests, with the source of its `index.mjs`. Its folder is removed when the test ends. */
export async function createFunction(
  source: string,
  properties: Partial<FunctionDefinition> = {},
): Promise<FunctionDefinition> {
  const assetFolder = await mkdtemp(join(tmpdir(), 'function-'));
  onTestFinished(() => rm(assetFolder, { recursive: true }));
  await writeFile(join(assetFolder, 'index.mjs'), source);
  return {
    logicalId: 'Function1A2B',
    name: 'Function',
    assetFolder,
    handler: 'index.handler',
    timeoutSeconds: 10,
    memoryMegabytes: 128,
    environment: {},
    role: 'Role',
    ...properties,
  };
}

/** The state of a process as Linux names it (`T` for stopped); `undefined` if the process has ended. */
export function processState(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const state = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 1)[0];
    return state === 'Z' ? undefined : state;
  } catch {
    return undefined;
  }
}
