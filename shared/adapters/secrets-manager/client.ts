import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';

export type SecretsConnection = Pick<SecretsManagerClientConfig, 'endpoint' | 'region' | 'credentials'>;

/**
 * Creates a client with the AWS environment's settings unless `connection` overrides them. It makes at most three
 * attempts of 2 s each.
 */
export function secretsManager(connection: SecretsConnection = {}): SecretsManagerClient {
  return new SecretsManagerClient({
    ...connection,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
}
