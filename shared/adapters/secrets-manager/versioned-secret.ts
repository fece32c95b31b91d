import { createHash, randomUUID } from 'node:crypto';
import { CreateSecretCommand, GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { isAwsError } from '../aws-sdk/aws-error.ts';
import type { SecretsManager } from './client.ts';

/** The text of a secret, and its version. */
export interface VersionedSecret {
  text: string;
  version: string;
}

/** Reads a secret. Resolves with `undefined` if it does not exist. */
export async function readSecret(client: SecretsManager, SecretId: string): Promise<VersionedSecret | undefined> {
  try {
    const { SecretString = '', VersionId = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
    return { text: SecretString, version: VersionId };
  } catch (error) {
    if (isAwsError(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}

/**
 * Replaces this version of a secret, or creates the secret if there was none. Resolves with `false` if another writer
 * was faster.
 */
export async function replaceSecret(
  client: SecretsManager,
  id: string,
  SecretString: string,
  { version, Description }: { version: string | undefined; Description: string },
): Promise<boolean> {
  const write =
    version === undefined
      ? client.send(new CreateSecretCommand({ Name: id, SecretString, Description, ClientRequestToken: randomUUID() }))
      : client.send(
          new PutSecretValueCommand({ SecretId: id, SecretString, ClientRequestToken: nextVersion(version) }),
        );
  try {
    await write;
    return true;
  } catch (error) {
    if (isAwsError(error, 'ResourceExistsException')) return false;
    throw error;
  }
}

/**
 * Two writers that have read the same version compute the same name for the next one, so Secrets Manager rejects the
 * second writer.
 */
function nextVersion(version: string): string {
  return createHash('sha256').update(version).digest('hex');
}
