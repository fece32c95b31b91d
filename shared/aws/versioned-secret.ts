import { createHash, randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { type Connection, clientConfig } from './connection.ts';
import { isAwsError } from './failures.ts';

export type SecretsManager = Pick<SecretsManagerClient, 'send' | 'destroy'>;

/** Creates a client that makes at most three attempts of 2 s each. */
export const secretsManager = (connection: Connection): SecretsManager =>
  new SecretsManagerClient(clientConfig(connection, 2_000));

/** The name of a secret beside that of the platform: with `messaging/prod/upstream`, `messaging/prod/<name>`. */
export const siblingSecretName = (upstreamSecretId: string, name: string): string =>
  upstreamSecretId.replace(/[^/]*$/, name);

/** A secret whose content is not what the service keeps there. The content is not quoted, because it is secret. */
export class MalformedSecret extends Error {
  override readonly name = 'MalformedSecret';

  constructor(secret: string, expected: string) {
    super(`The secret ${secret} is not ${expected}`);
  }
}

/** The credentials of a workspace, or of the deployment, are malformed. They have to be stored anew. */
export class MalformedCredentials extends MalformedSecret {
  readonly workspace: string | undefined;

  constructor(secret: string, workspace?: string) {
    super(secret, '{"access_token": "…", …}');
    this.workspace = workspace;
  }
}

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
