import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tableTests } from './table-tests.ts';

const root = join(import.meta.dirname, '../..');

it('the tests for the second engine include all acceptance tests, the kill tests and the story of the README', () => {
  const acceptance = globSync('test/acceptance/**/*.test.ts', { cwd: root });
  expect(acceptance.length).toBeGreaterThan(10);
  expect(tableTests(root)).toEqual(
    expect.arrayContaining([...acceptance, 'test/delivery/nothing-is-lost.test.ts', 'test/guides.test.ts']),
  );
});

it('the tests for the second engine include every test of the repository that opens a table', () => {
  const opening = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules/**'] }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes("support/aws/dynamodb.ts'"),
  );
  expect(opening).toContain('test/simulation/memory-stores.test.ts');
  expect(tableTests(root)).toEqual(expect.arrayContaining(opening));
});

it('the tests for the second engine leave out what touches no table', () => {
  expect(tableTests(root)).not.toContain('shared/base/ids.test.ts');
});
