import { hashToken } from '#shared/domain/accounts/token.ts';
import type { StoredValues } from './values.ts';

/** What may be shown of credentials: whether they are there, and the beginning of a hash by which to tell them apart. */
export function credentialsView(secret: string, { access_token, app_secrets, verify_token }: StoredValues) {
  const [current, ...former] = app_secrets;
  return {
    secret,
    access_token: fingerprint(access_token),
    app_secret: fingerprint(current),
    former_app_secrets: former.length,
    verify_token: verify_token !== undefined,
  };
}

/** Tokens and secrets of the platform are too random to be guessed from it. A verify token may be a word. */
const fingerprint = (text: string | undefined) =>
  text === undefined ? null : `sha256 ${hashToken(text).slice(0, 8)}…`;
