import { createHash, randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
} from '@aws-sdk/client-secrets-manager';
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
  if (version !== undefined) return putAfter(client, id, SecretString, version);
  try {
    await client.send(
      new CreateSecretCommand({ Name: id, SecretString, Description, ClientRequestToken: randomUUID() }),
    );
    return true;
  } catch (error) {
    if (isAwsError(error, 'ResourceExistsException')) return false;
    throw error;
  }
}

/** Secrets Manager keeps about this many versions, so a secret cannot have been rolled back more often. */
const maxVersions = 100;

/**
 * Two writers that have read the same version compute the same name for the next one, so Secrets Manager rejects the
 * second writer, or ignores it if it writes the same. If this version is current all the same, the next one was rolled
 * back, and the one after it is written.
 */
async function putAfter(client: SecretsManager, id: string, SecretString: string, version: string): Promise<boolean> {
  let next = version;
  for (let tries = 1; tries <= maxVersions; tries++) {
    next = versionAfter(next);
    if (await put(client, { SecretId: id, SecretString, ClientRequestToken: next })) return true;
    if ((await readSecret(client, id))?.version !== version) return false;
  }
  throw new Error(`The secret ${id} was rolled back more than ${maxVersions} times`);
}

/** Resolves with `false` if there was such a version and it is not current. */
async function put(client: SecretsManager, input: PutSecretValueCommandInput): Promise<boolean> {
  try {
    const { VersionStages = [] } = await client.send(new PutSecretValueCommand(input));
    return VersionStages.includes('AWSCURRENT');
  } catch (error) {
    if (isAwsError(error, 'ResourceExistsException')) return false;
    throw error;
  }
}

const versionAfter = (version: string): string => createHash('sha256').update(version).digest('hex');
