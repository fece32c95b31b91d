import type { Signers } from '#local/aws/base/signatures/signature-v4.ts';

/** Those of the test runner's environment (vitest.config.ts). */
export const testCredentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** For the AWS services that a test starts: they take requests with the test's credentials, and no others. */
export const testSigners: Signers = {
  credentialsOf: (accessKeyId) => (accessKeyId === testCredentials.accessKeyId ? testCredentials : undefined),
  now: () => Date.now(),
};
