import type {
  CreateSecretCommandInput,
  GetSecretValueCommandInput,
  GetSecretValueCommandOutput,
  PutSecretValueCommandInput,
} from '@aws-sdk/client-secrets-manager';
import type { Connection } from '../aws/connection.ts';
import { type JsonClient, jsonClient } from '../aws/json-client.ts';

export type SecretsManager = JsonClient<{
  GetSecretValue: {
    input: GetSecretValueCommandInput;
    output: Pick<GetSecretValueCommandOutput, 'SecretString' | 'VersionId'>;
  };
  /** Needs a `ClientRequestToken`, which makes it idempotent. */
  CreateSecret: { input: Idempotent<CreateSecretCommandInput>; output: object };
  PutSecretValue: { input: Idempotent<PutSecretValueCommandInput>; output: object };
}>;

type Idempotent<Input> = Input & { ClientRequestToken: string };

/** Creates a client that makes at most three attempts of 2 s each. */
export function secretsManager(connection: Connection): SecretsManager {
  return jsonClient(
    { service: 'secretsmanager', target: 'secretsmanager', version: '1.1', timeoutMs: 2_000 },
    connection,
  );
}
