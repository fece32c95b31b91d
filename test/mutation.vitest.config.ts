import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { common } from '../vitest.config.ts';

/** The unit tests of the mutated modules, without what world tests need. */
const tests = [
  'shared/{accounts,aws,delivery,egress,http,idempotency,ingestion,operations,webhooks}/**/*.test.ts',
  'shared/base/{mark,state-machine}.test.ts',
  'functions/*/{deliver-notifications,receive-events,sweep-deliveries}.test.ts',
  'functions/*/replay-*.test.ts',
  'functions/*/rotate-*.test.ts',
];

/** MUTATION_TESTS names some of them, separated by spaces. That is quicker and never improves the score. */
export default defineConfig({
  test: {
    ...common,
    // What a module remembers of one mutant must not reach the next.
    isolate: true,
    root: join(import.meta.dirname, '..'),
    // Tests take a second at most here. This ends tests that a mutant keeps from ending.
    testTimeout: 30_000,
    include: process.env.MUTATION_TESTS?.split(' ') ?? tests,
  },
});
