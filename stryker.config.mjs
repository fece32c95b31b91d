/**
 * Mutation testing of what must not be wrong: the delivery state machine, authorisation, signatures and address rules.
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: [
    'shared/http/wrapper/authorize.ts',
    'functions/api/authorizer/handler.ts',
    'shared/domain/accounts/token.ts',
    'shared/domain/signing/{webhook-signature,hub-signature}.ts',
    'shared/adapters/egress/{addresses,url,own-addresses,retry-after}.ts',
    'shared/base/mark.ts',
    'shared/domain/deliveries/{breaker,schedule,slow-targets,known-settings,message,attempt}.ts',
    'shared/domain/deliveries/{state-machine,transitions,breaker-transitions,pause-target}.ts',
    'shared/domain/deliveries/{deliver,message-kinds,outcome,drain,sweep,replay,rotate-secret}.ts',
    'shared/adapters/dynamodb/{deliveries,indexed-deliveries,targets,transition}.ts',
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
