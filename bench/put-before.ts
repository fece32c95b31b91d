import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionDefinition } from '#local/aws/template/functions.ts';

/** Puts a module before a function's handler, which it finds in `function.mjs` beside itself. */
export async function putBefore({ assetFolder }: FunctionDefinition, entry: URL): Promise<void> {
  const file = (name: string) => join(assetFolder, name);
  await rename(file('index.mjs'), file('function.mjs'));
  await copyFile(entry, file('index.mjs'));
}
