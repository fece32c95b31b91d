import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { functions, operations } from '#functions/operations.ts';
import { sourceFolder } from '#infra/paths.ts';

const root = join(import.meta.dirname, '..');
const folders = ['functions', 'shared', 'infra', 'local', 'cli', 'web', 'support', 'docs'];

interface Report {
  modules: { source: string }[];
  summary: { violations: { rule: { name: string }; from: string; to: string }[] };
}

async function cruise(): Promise<Report> {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}

describe('imports between folders', () => {
  it('follow .dependency-cruiser.cjs, and every module is checked', async () => {
    const { modules, summary } = await cruise();
    const ours = modules.map(({ source }) => source).filter((source) => folders.includes(source.split('/')[0] ?? ''));
    expect(ours.length).toBeGreaterThan(200);
    for (const folder of folders)
      expect(
        ours.some((source) => source.startsWith(`${folder}/`)),
        folder,
      ).toBe(true);
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
  });
});

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

describe('the lock file', () => {
  interface Locked {
    optionalDependencies?: Record<string, string>;
  }
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );

  it('contains the packages of every platform, because npm ci fails if some are missing', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  it('the lock file names no package registry', () => {
    expect(Object.values(packages).filter((entry) => 'resolved' in entry)).toEqual([]);
  });
});
