/**
 * Mutation testing of what must not be wrong: the delivery state machine, authorisation, signatures and address rules.
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation.vitest.config.ts', related: true },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: [
    'shared/operations/authorize.ts',
    'shared/accounts/{token,event-signature}.ts',
    'shared/egress/{url-rules,post}.ts',
    'shared/base/{mark,state-machine}.ts',
    'shared/aws/write.ts',
    'shared/webhooks/{webhook-signature,breaker,rotate-secret,breaker-store,subscriber-store}.ts',
    'shared/delivery/{retry-schedule,notification,delivery,replay,attempt,deliver,drain,sweep}.ts',
    'shared/delivery/{delivery-store,delivery-list-store}.ts',
  ],
  concurrency: 2,
  // A slow machine must not count as a caught mutant.
  timeoutMS: 60_000,
  timeoutFactor: 4,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  tempDirName: '.stryker',
  cleanTempDir: 'always',
  // Stryker would rewrite references in it with TypeScript's API, which TypeScript 7 does not have; there are none.
  tsconfigFile: 'none',
  // Data, builds and other checkouts are not copied into the sandbox.
  ignorePatterns: ['.local', 'dist', 'cdk.out', 'coverage', 'docs/images'],
  jsonReporter: { fileName: '.stryker/report.json' },
};
