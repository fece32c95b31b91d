import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { functions, operations } from '#functions/operations.ts';
import { sourceFolder } from '#infra/paths.ts';

const root = join(import.meta.dirname, '..');

describe('the folders below functions', () => {
  it('are those of the operation table', () => {
    const names = globSync('functions/*/*/', { cwd: root }).map((folder) => basename(folder));
    expect(names.sort()).toEqual(functions.map(({ name }) => name).sort());
  });

  it.each(functions.map(({ name }) => [name] as const))('hold only the files of a function: %s', (name) => {
    const isOperation = operations.some((operation) => operation.name === name);
    const description = isOperation ? 'contract.ts' : 'definition.ts';
    const missing = [description, 'handler.ts', 'handler.test.ts'].filter(
      (file) => !existsSync(join(sourceFolder(name), file)),
    );
    expect(missing).toEqual([]);
  });
});
