import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import base, { common } from '../vitest.config.ts';

const root = join(import.meta.dirname, '..');

/** Journeys through queues, bucket and secrets, with these from moto and the table in Amazon's DynamoDB Local. */
export default defineConfig({
  test: {
    ...base.test,
    root,
    globalSetup: ['support/worlds/global-setup.ts', 'test/dynamodb-local/global-setup.ts'],
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          root,
          name: 'moto',
          include: [
            'test/acceptance/flow-endpoint.test.ts',
            'test/acceptance/media.test.ts',
            'test/acceptance/sending.test.ts',
            'test/acceptance/flows.test.ts',
            'test/delivery/faults.test.ts',
          ],
        },
      },
    ],
  },
});
