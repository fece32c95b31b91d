import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type CachedReader, cached } from '#shared/base/cache.ts';
import type { Clock } from '#shared/base/clock.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { lazy } from '#shared/base/lazy.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import { secretsManager } from './client.ts';

/** While the app secret is being changed, requests signed with either secret are accepted. */
const secrets = z.union([z.string(), z.array(z.string())]);

const credentials = z.object({
  access_token: z.string(),
  app_secret: z.optional(secrets),
  verify_token: z.optional(z.string()),
});

/** The credentials that this service shares with the upstream. */
export type Credentials = z.infer<typeof credentials>;

const keptForMs = 5 * 60_000;

/**
 * The maximum age of credentials when somebody is rejected because of them. They may just have been changed, so they
 * are read again; a flood of bad signatures causes one read in this time.
 */
export const freshMs = 5_000;

/** Reads the credentials. They may be minutes old, unless the caller limits their age. */
export type CredentialsReader = CachedReader<Credentials>;

/** Reads the access token. A missing token, which the operator has not stored yet, is treated like a wrong one. */
export const accessTokenFrom =
  (read: CredentialsReader) =>
  async (maxAgeMs?: number): Promise<string> => {
    const { access_token: known } = await read(maxAgeMs);
    const token = known === '' ? (await read(freshMs)).access_token : known;
    if (token === '') throw new UpstreamError('credentials', 'The secret holds no access token yet.');
    return token;
  };

/** Whether the cached credentials pass the check or, failing that, the stored ones. */
export async function passesWith(
  read: CredentialsReader,
  check: (credentials: Credentials) => boolean,
): Promise<boolean> {
  const known = await read();
  if (check(known)) return true;
  const fresh = await read(freshMs);
  return fresh !== known && check(fresh);
}

/** The app secrets, without empty ones. */
export function appSecrets({ app_secret = [] }: Credentials): string[] {
  return [app_secret].flat().filter((secret) => secret !== '');
}

/** Reads the upstream credentials from Secrets Manager and caches them for minutes. */
export function credentialsReader(
  secretId: string,
  now: Clock,
  connect: () => SecretsManagerClient = secretsManager,
): CredentialsReader {
  const client = lazy(connect);
  return cached(
    async () => {
      const { SecretString } = await client().send(new GetSecretValueCommand({ SecretId: secretId }));
      const parsed = z.safeParse(credentials, parseJson(SecretString ?? ''));
      // The parse error would quote the secret, so it is not passed on.
      if (!parsed.success) throw new Error(`The secret ${secretId} is not {"access_token": "…", …}`);
      return parsed.data;
    },
    keptForMs,
    now,
  );
}
