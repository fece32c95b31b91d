import { defineConfig } from 'vitest/config';
import { common } from '../../vitest.config.ts';

/** The unit tests of the mutated modules, without what world tests need. */
const tests = [
  'shared/{deliveries,http,notifications,numbers,outgoing,queue,tokens}/**/*.test.ts',
  'shared/storage/{access,deliveries,targets,tokens}.test.ts',
  'functions/{authorizer,deliver-notifications,receive-events,sweep-deliveries}/*.test.ts',
  'functions/{replay-deliveries,replay-delivery,rotate-webhook-secret}/*.test.ts',
];

/** MUTATION_TESTS names fewer of them, separated by spaces: quicker, and never a better score. */
export default defineConfig({
  test: {
    ...common,
    root: new URL('../..', import.meta.url).pathname,
    include: process.env.MUTATION_TESTS?.split(' ') ?? tests,
  },
});
