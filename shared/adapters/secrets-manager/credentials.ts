import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type CachedReader, cached } from '#shared/base/cache.ts';
import type { Clock } from '#shared/base/clock.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { lazy } from '#shared/base/lazy.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import { secretsManager } from './client.ts';

/** While the app secret is being changed, requests signed with either are taken. */
const secrets = z.union([z.string(), z.array(z.string())]);

const credentials = z.object({
  access_token: z.string(),
  app_secret: z.optional(secrets),
  verify_token: z.optional(z.string()),
});

/** What the upstream knows this service by. */
export type Credentials = z.infer<typeof credentials>;

const keptForMs = 5 * 60_000;

/**
 * How old credentials may be when somebody is refused because of them. They may just have been changed, so they are
 * read again; a flood of bad signatures costs one read in this time.
 */
export const freshMs = 5_000;

/** Reads the credentials; those of minutes ago unless younger ones are asked for. */
export type CredentialsReader = CachedReader<Credentials>;

/** The access token; a deployment whose operator has not put one in yet is refused like one with a wrong one. */
export const accessTokenFrom =
  (read: CredentialsReader) =>
  async (maxAgeMs?: number): Promise<string> => {
    const { access_token: known } = await read(maxAgeMs);
    const token = known === '' ? (await read(freshMs)).access_token : known;
    if (token === '') throw new UpstreamError('credentials', 'The secret holds no access token yet.');
    return token;
  };

/** Whether the credentials pass a check: those at hand, or else those that are stored now. */
export async function passesWith(
  read: CredentialsReader,
  check: (credentials: Credentials) => boolean,
): Promise<boolean> {
  const known = await read();
  if (check(known)) return true;
  const fresh = await read(freshMs);
  return fresh !== known && check(fresh);
}

/** The app secrets that are set, none of them empty. */
export function appSecrets({ app_secret = [] }: Credentials): string[] {
  return [app_secret].flat().filter((secret) => secret !== '');
}

/** Reads the upstream credentials from Secrets Manager and keeps them for minutes. */
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
      // The parse error would quote the secret: it is not passed on.
      if (!parsed.success) throw new Error(`The secret ${secretId} is not {"access_token": "…", …}`);
      return parsed.data;
    },
    keptForMs,
    now,
  );
}
