import { createHash, timingSafeEqual } from 'node:crypto';
import type { CachedReader } from '#shared/base/cache.ts';
import { freshMs } from '#shared/base/time-limits.ts';
import type { Workspace } from './workspace.ts';

/** The credentials that this service shares with the upstream: those of the deployment, or of a workspace. */
export interface Credentials {
  access_token: string;
  /** While the app secret is being changed, requests signed with either secret are accepted. */
  app_secret?: string | string[] | undefined;
  verify_token?: string | undefined;
}

/** What a workspace has of its own. */
export type OwnCredentials = { [Name in keyof Credentials]?: Credentials[Name] | undefined };

/** Reads the credentials. They may be minutes old, unless the caller limits their age. */
export type CredentialsReader = CachedReader<Credentials>;

/** What a workspace says about its credentials. */
export type CredentialsOwner = Pick<Workspace, 'id' | 'own_credentials'>;

/** Chooses the credentials that a workspace uses: its own, or those of the deployment, as without a workspace. */
export type CredentialsOf = (workspace: CredentialsOwner | undefined) => CredentialsReader;

/**
 * Chooses what a workspace with credentials of its own uses: for values that it lacks, those of the deployment. If its
 * secret is missing or malformed (`undefined`), nothing takes its place: the workspace must not become one of the
 * deployment's app because of a mistake.
 */
export async function ownOrShared(
  own: OwnCredentials | undefined,
  readShared: () => Promise<Credentials>,
): Promise<Credentials> {
  if (own === undefined) return { access_token: '' };
  const { access_token, app_secret } = own;
  if (access_token !== undefined && app_secret !== undefined) return { ...own, access_token };
  const shared = await readShared();
  return { ...shared, ...own, access_token: access_token ?? shared.access_token };
}

/** Whether the cached credentials pass the check or, failing that, the stored ones. */
export async function passesWith(
  read: CredentialsReader,
  check: (credentials: Credentials) => boolean,
): Promise<boolean> {
  const remembered = await read();
  if (check(remembered)) return true;
  const fresh = await read(freshMs);
  return fresh !== remembered && check(fresh);
}

/**
 * The former app secrets with which the events of a workspace may still be signed, besides those of the deployment. One
 * that the deployment has dropped is among them until the workspace drops it, too.
 */
export function formerSecrets(own: readonly string[], deployment: readonly string[]): string[] {
  return own.slice(1).filter((secret) => !deployment.includes(secret));
}

/** Whether the text is the token by which the upstream proves that it subscribes to events. An empty token never is. */
export function isVerifyToken(read: CredentialsReader, token: string): Promise<boolean> {
  return passesWith(read, ({ verify_token: expected = '' }) => expected !== '' && isSame(token, expected));
}

/** Compares in constant time, even if the lengths differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
