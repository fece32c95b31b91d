import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { cached } from '../lazy.ts';

const credentials = z.object({ access_token: z.string().check(z.minLength(1)) });

/** What the upstream knows this service by. */
export type Credentials = z.infer<typeof credentials>;

const keptForMs = 5 * 60_000;

/** Reads the upstream credentials from Secrets Manager and keeps them for minutes. */
export function credentialsReader(secretId: string, now: Clock): () => Promise<Credentials> {
  const client = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  return cached(
    async () => {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      const parsed = z.safeParse(credentials, parseJson(SecretString));
      // The parse error would quote the secret: it is not passed on.
      if (!parsed.success) throw new Error(`The secret ${secretId} is not {"access_token": "…", …}`);
      return parsed.data;
    },
    keptForMs,
    now,
  );
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
