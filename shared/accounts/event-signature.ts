import { createHash, timingSafeEqual } from 'node:crypto';
import type { CachedReader } from '#shared/base/cache.ts';
import { freshMs } from '#shared/base/time-limits.ts';
import { hubHmac } from '#shared/webhooks/webhook-signature.ts';
import type { Credentials, CredentialsOf, CredentialsOwner, CredentialsReader, OwnApps } from './credentials-store.ts';
import type { Workspace } from './workspace.ts';

/** The apps that may sign requests of the upstream: that of the deployment, and those of workspaces. */
export interface SignatureContext {
  credentialsOf: CredentialsOf;
  ownApps: CachedReader<OwnApps>;
}

export interface SignedRequest {
  /** The value of the request's `X-Hub-Signature-256`. */
  readonly header: string | undefined;
  readonly body: Buffer;
}

/**
 * Finds out who signed a request. Nobody is rejected because of what a process remembers: each check is made again with
 * what is stored, once it is older than `freshMs`. So however many requests strangers send, and whatever accounts they
 * name, each secret is read once in this time at most.
 */
export function upstreamSignature({ header, body }: SignedRequest, { credentialsOf, ownApps }: SignatureContext) {
  const found = new Map<string, boolean>();

  function isSignedWith(secret: string): boolean {
    const isSigned = found.get(secret) ?? isHubSigned(header, body, secret);
    found.set(secret, isSigned);
    return isSigned;
  }

  async function isSignedFor(workspace: Workspace | undefined, maxAgeMs: number | undefined): Promise<boolean> {
    const own = appSecrets(await credentialsOf(workspace)(maxAgeMs));
    if (own.some(isSignedWith)) return true;
    return workspace !== undefined && isSignedForMoving(own, maxAgeMs);
  }

  /**
   * A workspace that moves to an app of its own still accepts the deployment's app, also while the deployment rotates
   * its secret.
   */
  async function isSignedForMoving(own: readonly string[], maxAgeMs: number | undefined): Promise<boolean> {
    const shared = appSecrets(await credentialsOf(undefined)(maxAgeMs));
    return own.some((secret) => shared.includes(secret)) && shared.some(isSignedWith);
  }

  async function isSignedForAny(accounts: () => readonly string[], maxAgeMs: number | undefined): Promise<boolean> {
    const own = await ownApps(maxAgeMs);
    if (own.size === 0) return false;
    const named = accounts();
    for (const workspace of own.values()) {
      const isCandidate = workspace.waba_id !== null && named.includes(workspace.waba_id);
      if (isCandidate && (await isSignedFor(workspace, maxAgeMs))) return true;
    }
    return false;
  }

  return {
    /**
     * Whether an app signed that is known here: that of the deployment, or one of the business accounts that the request
     * names. `accounts` is called only if there are workspaces with credentials of their own.
     */
    isKnown: (accounts: () => readonly string[]) =>
      rememberedOrStored(
        async (maxAgeMs) => (await isSignedFor(undefined, maxAgeMs)) || (await isSignedForAny(accounts, maxAgeMs)),
      ),
    /** Whether that app signed whose credentials the workspace uses; without a workspace, that of the deployment. */
    isFor: (workspace: string | undefined) =>
      rememberedOrStored(async (maxAgeMs) => {
        const own = workspace === undefined ? undefined : (await ownApps(maxAgeMs)).get(workspace);
        return isSignedFor(own, maxAgeMs);
      }),
    /** Whether the workspace's own app signed, with its current secret, which it does not share with the deployment. */
    async isByOwnApp(workspace: string): Promise<boolean> {
      const secret = await ownAppSecret((await ownApps()).get(workspace), credentialsOf);
      return secret !== undefined && isSignedWith(secret);
    },
  };
}

/** Checks with what the process remembers, then, failing that, with what is stored. */
async function rememberedOrStored(check: (maxAgeMs: number | undefined) => Promise<boolean>): Promise<boolean> {
  return (await check(undefined)) || (await check(freshMs));
}

/**
 * Whether the upstream signed the body with this secret (Meta's page "Webhooks: Validating payloads"). The body's bytes
 * count as received: the same JSON in another notation has another signature.
 */
export function isHubSigned(header: string | undefined, body: Uint8Array, appSecret: string): boolean {
  const hex = header?.match(/^sha256=([0-9a-f]{64})$/i)?.[1];
  return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), hubHmac(body, appSecret).digest());
}

/** The app secrets, without empty ones that were never filled in: with such a one, anybody could sign. */
export function appSecrets({ app_secret = [] }: Credentials): string[] {
  return [app_secret].flat().filter((secret) => secret !== '');
}

/**
 * The current app secret of a workspace, unless it shares that with the deployment and so with other workspaces. Its
 * former ones may have been the deployment's, too. Nothing that is signed with another secret may reach a customer, who
 * could send it to somebody else's endpoint.
 */
export async function ownAppSecret(
  workspace: CredentialsOwner | undefined,
  credentialsOf: CredentialsOf,
): Promise<string | undefined> {
  if (workspace === undefined) return undefined;
  const [own, shared] = await Promise.all([credentialsOf(workspace)(), credentialsOf(undefined)()]);
  const [current] = appSecrets(own);
  return current === undefined || appSecrets(shared).includes(current) ? undefined : current;
}

/** Whether the text is the token by which the upstream proves that it subscribes to events. An empty token never is. */
export function isVerifyToken(read: CredentialsReader, token: string): Promise<boolean> {
  return rememberedOrStored(async (maxAgeMs) => {
    const { verify_token: expected = '' } = await read(maxAgeMs);
    return expected !== '' && isSame(token, expected);
  });
}

/** Compares in constant time, even if the lengths differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
