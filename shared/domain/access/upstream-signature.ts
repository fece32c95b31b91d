import type { CachedReader } from '#shared/base/cache.ts';
import type { Workspace } from '../accounts/workspace.ts';
import { isHubSigned } from '../signing/hub-signature.ts';
import { appSecrets, type CredentialsOf, freshMs, ownAppSecret } from './upstream-credentials.ts';

/** The workspaces with credentials of their own, by id. */
export type OwnApps = ReadonlyMap<string, Workspace>;

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

/** The signature of one request. */
export interface UpstreamSignature {
  /**
   * Whether an app signed that is known here: that of the deployment, or one of the business accounts that the request
   * names. `accounts` is called only if there are workspaces with credentials of their own.
   */
  isKnown(accounts: () => readonly string[]): Promise<boolean>;
  /** Whether that app signed whose credentials the workspace uses; without a workspace, that of the deployment. */
  isFor(workspace: string | undefined): Promise<boolean>;
  /** Whether the workspace's own app signed, with its current secret, which it does not share with the deployment. */
  isByOwnApp(workspace: string): Promise<boolean>;
}

/**
 * Finds out who signed a request. Nobody is rejected because of what a process remembers: each check is made again with
 * what is stored, once it is older than `freshMs`. So however many requests strangers send, and whatever accounts they
 * name, each secret is read once in this time at most.
 */
export function upstreamSignature(
  { header, body }: SignedRequest,
  { credentialsOf, ownApps }: SignatureContext,
): UpstreamSignature {
  const found = new Map<string, boolean>();

  function isSignedWith(secret: string): boolean {
    const isSigned = found.get(secret) ?? isHubSigned({ header, body, appSecrets: [secret] });
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
    isKnown: (accounts) =>
      rememberedOrStored(
        async (maxAgeMs) => (await isSignedFor(undefined, maxAgeMs)) || (await isSignedForAny(accounts, maxAgeMs)),
      ),
    isFor: (workspace) =>
      rememberedOrStored(async (maxAgeMs) => {
        const own = workspace === undefined ? undefined : (await ownApps(maxAgeMs)).get(workspace);
        return isSignedFor(own, maxAgeMs);
      }),
    async isByOwnApp(workspace) {
      const secret = await ownAppSecret((await ownApps()).get(workspace), credentialsOf);
      return secret !== undefined && isSignedWith(secret);
    },
  };
}

/** Checks with what the process remembers, then, failing that, with what is stored. */
async function rememberedOrStored(check: (maxAgeMs: number | undefined) => Promise<boolean>): Promise<boolean> {
  return (await check(undefined)) || (await check(freshMs));
}
