import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{functions,shared,infra,local,cli,test}/**/*.test.ts'],
    clearMocks: true,
    silent: 'passed-only',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
