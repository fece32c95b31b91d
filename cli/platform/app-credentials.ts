import type { Credentials } from '#shared/accounts/credentials-store.ts';
import { appSecrets } from '#shared/accounts/event-signature.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { asSentence } from '../terminal/describe-failure.ts';
import { Rejection } from '../terminal/errors.ts';
import type { AppCredentials, Management } from './management.ts';
import type { TokenInfo } from './objects.ts';

const newToken = 'Create a token of a system user with both permissions, for this business account, and store it.';

/**
 * Checks the access token and the app secret: that they belong together, and may use the business account, if any.
 *
 * @throws Rejection that says what is wrong with them
 */
export async function checkCredentials(
  management: Management,
  credentials: Credentials,
  wabaId: string | null,
): Promise<ProvenApp> {
  if (credentials.access_token === '') throw new Rejection(`The secret holds no access token. ${newToken}`);
  const info = await management.tokenInfo();
  const missing = missingPermissions(info);
  const elsewhere = wabaId === null ? undefined : grantElsewhere(info, wabaId);
  if (info.is_valid === false) {
    const why = asSentence(info.error?.message ?? 'the platform says no more');
    throw new Rejection(`The access token is not valid: ${why} ${newToken}`);
  }
  if (missing.length > 0) throw new Rejection(`The access token lacks ${missing.join(' and ')}. ${newToken}`);
  if (elsewhere) {
    const others = `${elsewhere.scope} is for ${elsewhere.target_ids?.join(', ') || 'none'}`;
    throw new Rejection(`The access token may not use the business account ${wabaId} (${others}). ${newToken}`);
  }
  if (info.app_id === undefined) throw new Rejection('The platform does not say which app the access token is for.');
  const secrets = appSecrets(credentials);
  if (secrets.length === 0) {
    throw new Rejection(
      `The secret holds no app secret. Copy it from the settings of the app ${info.app_id}, and store it.`,
    );
  }
  const app = await provenApp(management, info.app_id, secrets);
  if (app) return app;
  throw new Rejection(`The app secret does not belong to the app ${info.app_id}, which the access token is for.`);
}

/** An app, with the secret of which the platform says that it is the app's. */
export interface ProvenApp extends AppCredentials {
  name: string;
}

/** Finds which of the secrets is that of the app; there are several while it is being changed. */
export async function provenApp(
  management: Pick<Management, 'app'>,
  id: string,
  secrets: readonly string[],
): Promise<ProvenApp | undefined> {
  for (const secret of secrets) {
    try {
      const { name = id } = await management.app({ id, secret });
      return { id, secret, name };
    } catch (error) {
      if (!isRejection(error)) throw error;
    }
  }
  return undefined;
}

const isRejection = (error: unknown) =>
  error instanceof UpstreamError && (error.failure === 'credentials' || error.failure === 'rejected');

/** What an access token of the service must be allowed to do. */
export const neededPermissions: readonly string[] = ['whatsapp_business_messaging', 'whatsapp_business_management'];

/** The permissions that the token lacks, whether it would have them for everything or for some accounts. */
export function missingPermissions({ scopes = [], granular_scopes = [] }: TokenInfo): string[] {
  const granted = new Set([...scopes, ...granular_scopes.map(({ scope }) => scope)]);
  return neededPermissions.filter((permission) => !granted.has(permission));
}

/**
 * A permission that the token has for other business accounts than this one. Without targets, a permission holds for
 * everything that the user may see.
 */
export function grantElsewhere({ granular_scopes = [] }: TokenInfo, wabaId: string) {
  return granular_scopes.find(
    ({ scope, target_ids }) => neededPermissions.includes(scope) && target_ids && !target_ids.includes(wabaId),
  );
}
