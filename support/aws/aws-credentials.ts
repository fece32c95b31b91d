import type { Signers } from '#local/aws/base/signatures/signature-v4.ts';

/** The credentials in the test runner's environment (vitest.config.ts). */
export const testCredentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Options for AWS services that a test starts: they accept only requests with the test's credentials. */
export const testSigners: Signers = {
  credentialsOf: (accessKeyId) => (accessKeyId === testCredentials.accessKeyId ? testCredentials : undefined),
  now: () => Date.now(),
};
