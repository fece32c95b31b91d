import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { defaultRegion } from '../base/account.ts';
import { serveAwsJson } from '../base/aws-json.ts';
import type { Authorize } from '../base/signatures/aws-access.ts';
import type { Signers } from '../base/signatures/signature-v4.ts';
import { secretsManagerOperations } from './operations.ts';
import { currentStage, SecretStore } from './secret-store.ts';

export interface SecretsManagerOptions {
  /** Without it, a free port is used. */
  port?: number;
  /** The folder of `secrets.json`. Without it, the secrets are kept in memory only. */
  dataDir?: string;
  region?: string;
  signers: Signers;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
  authorize?: Authorize;
}

export interface SecretsManagerServer {
  url: string;
  /** The value of a secret; `undefined` if there is none. */
  read(name: string): string | undefined;
  /** Sets the value of a secret and creates the secret if needed. Returns its ARN. */
  put(name: string, value: string): string;
  close(): Promise<void>;
}

/** AWS Secrets Manager for the AWS SDK (AWS JSON 1.1). */
export async function startSecretsManager(options: SecretsManagerOptions): Promise<SecretsManagerServer> {
  const { dataDir, region = defaultRegion, now = Date.now } = options;
  const store = new SecretStore({ region, now, file: dataDir && join(dataDir, 'secrets.json') });
  const { url, close } = await serveAwsJson(
    {
      version: '1.1',
      target: 'secretsmanager',
      namespace: 'com.amazonaws.secretsmanager',
      iamPrefix: 'secretsmanager',
      signatureWindowMinutes: 5,
      signatureStatus: 400,
      accessDenied: { code: 'AccessDeniedException', status: 400 },
      operations: secretsManagerOperations(store),
    },
    { ...options, region },
  );
  function read(name: string): string | undefined {
    const value = store.find(name)?.versions.find(({ stages }) => stages.includes(currentStage))?.value;
    return value && 'SecretString' in value ? value.SecretString : undefined;
  }

  return {
    url,
    read,
    put(name, value) {
      const secret = store.find(name) ?? store.create(name);
      if (read(name) !== value) store.putValue(secret, randomUUID(), { SecretString: value });
      return secret.arn;
    },
    close,
  };
}
