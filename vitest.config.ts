import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const common = {
  // Importing a handler reads the environment that the stack gives a function; nothing here is ever called.
  env: {
    TABLE_NAME: 'messaging-test',
    BUCKET_NAME: 'messaging-test',
    QUEUE_URL: 'http://127.0.0.1:1/000000000000/notifications',
    DELIVERY_TIMEOUT_MS: '10000',
    BASE_URL: 'https://api.example.com',
    UPSTREAM_BASE_URL: 'http://127.0.0.1:1',
    UPSTREAM_GRAPH_VERSION: 'v25.0',
    UPSTREAM_TIMEOUT_MS: '300',
    UPSTREAM_SECRET_ID: 'messaging/test/upstream',
    OUTGOING_ALLOWED_CIDRS: '',
    OWN_URLS: 'https://api.example.com,https://abcdef.execute-api.us-east-1.amazonaws.com',
    DEPLOYMENT_ID: '00000000-0000-4000-8000-00000000d0d0',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  },
  clearMocks: true,
  // These only end what would never end: no result depends on the machine's speed.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 45_000, interval: 20 } },
} satisfies TestProjectInlineConfiguration['test'];

export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    silent: 'passed-only',
    // One for each core: more would keep the processes of the worlds waiting for longer than they wait for each other.
    maxWorkers: '100%',
    projects: [
      { test: { ...common, name: 'worlds', include: ['{infra,local,cli,test}/**/*.test.ts'] } },
      // Hundreds of files that import the same: half of their time would go into importing it again for each.
      { test: { ...common, name: 'units', include: ['{functions,shared,bench}/**/*.test.ts'], isolate: false } },
    ],
  },
});
