import { appSecrets, type Credentials } from '#shared/accounts/upstream-credentials.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { Management } from '../platform/management.ts';
import type { TokenInfo } from '../platform/objects.ts';
import { type ProvenApp, provenApp } from '../platform/proven-app.ts';
import { grantElsewhere, missingPermissions } from '../platform/token.ts';
import { Rejection } from '../terminal/errors.ts';
import { asSentence } from '../terminal/failures.ts';

const newToken =
  'Create a token of a system user with both permissions and for this business account ' +
  '(Business settings, Users, System users), and store it.';

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
  const info = await management.tokenInfo().catch((error: unknown) => {
    if (!(error instanceof UpstreamError) || error.failure !== 'credentials') throw error;
    throw new Rejection(`The platform rejects the access token: ${asSentence(error.message)} ${newToken}`);
  });
  rejectUseless(info, wabaId);
  if (info.app_id === undefined) throw new Rejection('The platform does not say which app the access token is for.');
  const secrets = appSecrets(credentials);
  if (secrets.length === 0) {
    throw new Rejection(
      `The secret holds no app secret. Copy it from the app ${info.app_id} (App settings, Basic) and store it.`,
    );
  }
  const app = await provenApp(management, info.app_id, secrets);
  if (app) return app;
  throw new Rejection(
    `The app secret does not belong to the app ${info.app_id}, which the access token is for. ` +
      'Copy it from that app (App settings, Basic) and store it, or store a token of the other app.',
  );
}

function rejectUseless(info: TokenInfo, wabaId: string | null): void {
  if (info.is_valid === false) {
    throw new Rejection(
      `The access token is not valid: ${asSentence(info.error?.message ?? 'the platform says no more')} ${newToken}`,
    );
  }
  const missing = missingPermissions(info);
  if (missing.length > 0) throw new Rejection(`The access token lacks ${missing.join(' and ')}. ${newToken}`);
  const elsewhere = wabaId === null ? undefined : grantElsewhere(info, wabaId);
  if (elsewhere === undefined) return;
  throw new Rejection(
    `The access token may not use the business account ${wabaId} (${elsewhere.scope} is for ` +
      `${elsewhere.target_ids?.join(', ') || 'none'}). Assign the account to the system user, and create a new token.`,
  );
}
