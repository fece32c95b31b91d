import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import base, { common } from '../../vitest.config.ts';

const root = join(import.meta.dirname, '../..');

/** The tests of stores and transitions, which open a table of their own. */
const storeTests = globSync('{functions,shared,test}/**/*.test.ts', { cwd: root }).filter((file) =>
  readFileSync(join(root, file), 'utf8').includes("support/aws/dynamodb.ts'"),
);

/** What only shows with all parts: the life of Flows and of notifications, faults and kills. */
const journeys = [
  'test/acceptance/flows.test.ts',
  'test/delivery/{faults,long-waits,nothing-is-lost,notifications}.test.ts',
  'test/flows/consistency.test.ts',
];

/** The tests that exercise stores, on Amazon's DynamoDB Local instead of dynoxide. */
export default defineConfig({
  test: {
    ...base.test,
    root,
    globalSetup: ['support/worlds/global-setup.ts', 'test/dynamodb-local/global-setup.ts'],
    projects: [{ test: { ...common, root, name: 'dynamodb-local', include: [...storeTests, ...journeys] } }],
  },
});
