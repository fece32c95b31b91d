import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { cached } from '#shared/base/cache.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { minuteMs } from '#shared/base/time/duration.ts';
import { type CredentialsReader, freshMs } from '#shared/domain/access/upstream-credentials.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import type { SecretsManager } from './client.ts';

const secrets = z.union([z.string(), z.array(z.string())]);

const credentials = z.object({
  access_token: z.string(),
  app_secret: z.optional(secrets),
  verify_token: z.optional(z.string()),
});

const keptForMs = 5 * minuteMs;

/** Reads the access token. A missing token, which the operator has not stored yet, is treated like a wrong one. */
export const accessTokenFrom =
  (read: CredentialsReader) =>
  async (maxAgeMs?: number): Promise<string> => {
    const { access_token: remembered } = await read(maxAgeMs);
    const token = remembered === '' ? (await read(freshMs)).access_token : remembered;
    if (token === '') throw new UpstreamError('credentials', 'The secret holds no access token yet.');
    return token;
  };

/** Reads the upstream credentials from Secrets Manager and caches them for minutes. */
export function credentialsReader(secretId: string, now: Clock, client: SecretsManager): CredentialsReader {
  return cached(
    async () => {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      const parsed = z.safeParse(credentials, parseJson(SecretString ?? ''));
      // The parse error would quote the secret, so it is not passed on.
      if (!parsed.success) throw new Error(`The secret ${secretId} is not {"access_token": "…", …}`);
      return parsed.data;
    },
    keptForMs,
    now,
  );
}
