import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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

it('no source file has more than 300 lines, tests aside', () => {
  const folders = ['bench', 'cli', 'docs', 'functions', 'infra', 'judges', 'local', 'shared', 'support', 'web'];
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }));
  const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
  const long = files.filter((file) => !/[.]test[.]tsx?$/.test(file) && linesOf(file) > 300);
  expect(files.length).toBeGreaterThan(0);
  expect(long).toEqual([]);
});
