import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import base, { common } from '../../vitest.config.ts';

const root = join(import.meta.dirname, '../..');

/** What a test imports if it touches a table: one of its own, or that of a local world. */
const touchesTable =
  /support\/(dynamodb|command-line|[a-z-]*world)\.ts'|local\/(world|run)\.ts'|'\.\/support\/world\.ts'/;

const files = globSync('{shared,functions,local,cli,test}/**/*.test.ts', { cwd: root }).filter((file) =>
  touchesTable.test(readFileSync(join(root, file), 'utf8')),
);

/** The same tests as `npm test`, as far as they touch a table, on Amazon's DynamoDB Local instead of dynoxide. */
export default defineConfig({
  test: {
    ...base.test,
    root,
    globalSetup: ['test/support/global-setup.ts', 'test/dynamodb-local/global-setup.ts'],
    projects: [{ test: { ...common, root, name: 'dynamodb-local', include: files } }],
  },
});
