import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientConfig } from '../aws-sdk/client-config.ts';
import type { Connection } from '../aws-sdk/connection.ts';

export type SecretsManager = Pick<SecretsManagerClient, 'send' | 'destroy'>;

/** Creates a client that makes at most three attempts of 2 s each. */
export const secretsManager = (connection: Connection): SecretsManager =>
  new SecretsManagerClient(clientConfig(connection, 2_000));
