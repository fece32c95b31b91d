import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import base, { alone, common, lastGroup } from '../../vitest.config.ts';
import { tableTests } from './table-tests.ts';

const root = join(import.meta.dirname, '../..');

/** The same tests as `npm test`, as far as they touch a table, on Amazon's DynamoDB Local instead of dynoxide. */
export default defineConfig({
  test: {
    ...base.test,
    root,
    globalSetup: ['support/worlds/global-setup.ts', 'test/dynamodb-local/global-setup.ts'],
    projects: [
      { test: { ...common, root, name: 'dynamodb-local', include: tableTests(root), exclude: [alone] } },
      { test: { ...common, ...lastGroup, root, name: 'alone', include: [alone] } },
    ],
  },
});
