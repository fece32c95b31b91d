import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { defaultRegion } from '../base/account.ts';
import { AwsError } from '../base/aws-error.ts';
import { type AwsCall, type AwsOperation, awsOperation, serveAwsJson } from '../base/aws-json.ts';
import type { Authorize } from '../base/signatures/aws-access.ts';
import type { Signers } from '../base/signatures/signature-v4.ts';
import { type Secret, SecretStore } from './secret-store.ts';

export interface SecretsManagerOptions {
  /** Without it, a free port is used. */
  port?: number;
  /** The folder of the secrets. Without it, they are kept in memory only. */
  dataDir?: string;
  region?: string;
  signers: Signers;
  authorize?: Authorize;
}

export interface SecretsManagerServer {
  url: string;
  /** The value of a secret; `undefined` if there is none. */
  read(name: string): string | undefined;
  /** Sets the value of a secret and creates the secret if needed. Returns its ARN. */
  put(name: string, value: string): string;
  /** The ARN of a secret that exists. */
  find(name: string): string | undefined;
  close(): Promise<void>;
}

/** AWS Secrets Manager for the AWS SDK (AWS JSON 1.1). */
export async function startSecretsManager(options: SecretsManagerOptions): Promise<SecretsManagerServer> {
  const { dataDir, region = defaultRegion } = options;
  const store = new SecretStore({ region, file: dataDir && join(dataDir, 'secrets.jsonl') });
  const { url, close } = await serveAwsJson(
    {
      version: '1.1',
      target: 'secretsmanager',
      namespace: 'com.amazonaws.secretsmanager',
      iamPrefix: 'secretsmanager',
      signatureWindowMinutes: 5,
      signatureStatus: 400,
      accessDenied: { code: 'AccessDeniedException', status: 400 },
      operations: operations(store),
    },
    { ...options, region },
  );
  const read = (name: string) => store.find(name)?.versions.at(-1)?.value;
  return {
    url,
    read,
    find: (name) => store.find(name)?.arn,
    put(name, value) {
      const secret = store.find(name) ?? store.create(name);
      if (read(name) !== value) store.putValue(secret, randomUUID(), value);
      return secret.arn;
    },
    async close() {
      await close();
      store.close();
    },
  };
}

/** Of a version's id. The SDK makes one up for a request without it. */
const token = z.string().check(z.minLength(32), z.maxLength(64));

function operations(store: SecretStore): Record<string, AwsOperation> {
  /** Finds the secret of a SecretId, if the caller may use it. */
  function demand(id: string, call: AwsCall): Secret {
    call.demandAccess(store.arnOf(id));
    const secret = store.find(id);
    if (secret) return secret;
    throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }

  return {
    CreateSecret: awsOperation(
      z.strictObject({
        ...{ Name: z.string(), SecretString: z.string(), ClientRequestToken: token },
        Description: z.optional(z.string()),
      }),
      ({ Name, SecretString, ClientRequestToken }, call) => {
        call.demandAccess(store.arnOf(Name));
        const secret = store.create(Name);
        store.putValue(secret, ClientRequestToken, SecretString);
        return { ARN: secret.arn, Name, VersionId: ClientRequestToken };
      },
    ),

    PutSecretValue: awsOperation(
      z.strictObject({ SecretId: z.string(), SecretString: z.string(), ClientRequestToken: token }),
      ({ SecretId, SecretString, ClientRequestToken }, call) => {
        const secret = demand(SecretId, call);
        const isCurrent = store.putValue(secret, ClientRequestToken, SecretString);
        const VersionStages = isCurrent ? ['AWSCURRENT'] : [];
        return { ARN: secret.arn, Name: secret.name, VersionId: ClientRequestToken, VersionStages };
      },
    ),

    GetSecretValue: awsOperation(z.strictObject({ SecretId: z.string() }), ({ SecretId }, call) => {
      const { arn, name, versions } = demand(SecretId, call);
      const { id, value } = versions.at(-1) ?? {};
      return { ARN: arn, Name: name, VersionId: id, VersionStages: ['AWSCURRENT'], SecretString: value };
    }),

    DeleteSecret: awsOperation(
      z.strictObject({ SecretId: z.string(), ForceDeleteWithoutRecovery: z.literal(true) }),
      ({ SecretId }, call) => {
        const secret = demand(SecretId, call);
        store.delete(secret);
        return { ARN: secret.arn, Name: secret.name };
      },
    ),
  };
}
