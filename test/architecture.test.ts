import { existsSync, globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { functions } from '#functions/operations.ts';
import { root, sourceFile } from '#infra/paths.ts';

describe('the folders of subjects below functions', () => {
  it('hold one file for each function, beside contracts and composition', () => {
    const files = globSync('functions/*/*.ts', { cwd: root }).map((file) => basename(file, '.ts'));
    const names = files.filter((name) => !['contracts', 'compose'].includes(name) && !name.endsWith('.test'));
    expect(names.sort()).toEqual(functions.map(({ name }) => name).sort());
  });

  it('hold a test of each function', () => {
    const untested = functions.filter(({ name }) => !existsSync(sourceFile(name).replace(/\.ts$/, '.test.ts')));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });
});
