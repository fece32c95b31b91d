/**
 * Mutation testing of what must not be wrong: the delivery state machine, authorisation, signatures and address rules.
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation.vitest.config.ts', related: true },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: [
    'shared/http/wrapper/authorize.ts',
    'shared/domain/accounts/token.ts',
    'shared/domain/signing/{webhook-signature,hub-signature}.ts',
    'shared/adapters/egress/{addresses,url,own-addresses,post}.ts',
    'shared/base/mark.ts',
    'shared/domain/deliveries/{schedule,message,transitions,replay}.ts',
    'shared/domain/subscribers/{breaker,breaker-transitions,state-machine}.ts',
    'shared/domain/attempts/{attempt,deliver,drain,known-settings,message-kinds,outcome,pause-target,slow-targets,sweep}.ts',
    'shared/domain/webhooks/rotate-secret.ts',
    'shared/adapters/dynamodb/deliveries/{deliveries,indexed-deliveries}.ts',
    'shared/adapters/dynamodb/subscribers/{breakers,secrets,targets}.ts',
    'shared/adapters/dynamodb/table/transition.ts',
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
