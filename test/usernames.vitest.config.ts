import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { common } from '../vitest.config.ts';

/** The tests of deliveries, with contacts whose phone numbers the platform hides. */
export default defineConfig({
  test: {
    ...common,
    root: join(import.meta.dirname, '..'),
    env: { ...common.env, POPULATION: 'user_ids' },
    globalSetup: join(import.meta.dirname, '../support/worlds/global-setup.ts'),
    silent: 'passed-only',
    maxWorkers: '100%',
    include: ['test/delivery/**/*.test.ts'],
  },
});
