import { join, matchesGlob } from 'node:path';
import { defineConfig } from 'vitest/config';
import base, { alone, browserGroup, browsers, common, lastGroup } from '../../vitest.config.ts';
import { tableTests } from './table-tests.ts';

const root = join(import.meta.dirname, '../..');
const tests = tableTests(root);

/** The same tests as `npm test`, as far as they touch a table, on Amazon's DynamoDB Local instead of dynoxide. */
export default defineConfig({
  test: {
    ...base.test,
    root,
    globalSetup: ['support/worlds/global-setup.ts', 'test/dynamodb-local/global-setup.ts'],
    projects: [
      { test: { ...common, root, name: 'dynamodb-local', include: tests, exclude: [alone, browsers] } },
      {
        test: {
          ...common,
          ...browserGroup,
          root,
          name: 'browsers',
          include: tests.filter((file) => matchesGlob(file, browsers)),
        },
      },
      { test: { ...common, ...lastGroup, root, name: 'alone', include: [alone] } },
    ],
  },
});
