import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { cached, lazy } from '../lazy.ts';
import { UpstreamError } from './graph-error.ts';
import { secretsManager } from './secrets-manager.ts';

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

/** The access token; a deployment whose operator has not put one in yet is refused like one with a wrong one. */
export const accessTokenFrom = (read: () => Promise<Credentials>) => async (): Promise<string> => {
  const { access_token } = await read();
  if (access_token === '') throw new UpstreamError('credentials', 'The secret holds no access token yet.');
  return access_token;
};

/** The app secrets that are set, none of them empty. */
export function appSecrets({ app_secret = [] }: Credentials): string[] {
  return [app_secret].flat().filter((secret) => secret !== '');
}

/** Reads the upstream credentials from Secrets Manager and keeps them for minutes. */
export function credentialsReader(
  secretId: string,
  now: Clock,
  connect: () => SecretsManagerClient = secretsManager,
): () => Promise<Credentials> {
  const client = lazy(connect);
  return cached(
    async () => {
      const { SecretString } = await client().send(new GetSecretValueCommand({ SecretId: secretId }));
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
