import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Package {
  version?: string;
  integrity?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
  /** It comes inside another package, whose hash covers it. */
  inBundle?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Package>;
};
const installed = Object.entries(packages).filter(([path]) => path !== '');

it('every package that npm downloads has a hash in the lock file', () => {
  const withoutHash = installed.filter(([, { integrity, inBundle }]) => !integrity && !inBundle);
  expect(withoutHash.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
});

it('the lock file names no registry', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

it('the lock file contains the packages of every platform, because npm ci fails if some are missing', () => {
  const missing = installed.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});
