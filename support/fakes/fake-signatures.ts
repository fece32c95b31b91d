import type { Credentials, CredentialsReader } from '#shared/accounts/credentials-store.ts';
import type { SignatureContext } from '#shared/accounts/event-signature.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { freshMs } from '#shared/base/time-limits.ts';

/** Credentials as a process remembers them, and as they are stored. */
export function fakeCredentials(
  remembered: Partial<Credentials>,
  stored: Partial<Credentials> = remembered,
): CredentialsReader {
  return async (maxAgeMs = Number.POSITIVE_INFINITY) => ({
    access_token: 'token',
    ...(maxAgeMs > freshMs ? remembered : stored),
  });
}

/** A workspace with credentials of its own, and these credentials. */
export interface OwnApp {
  id: string;
  waba_id?: string | null;
  credentials: CredentialsReader;
}

/** The apps of the deployment and of workspaces. */
export function fakeSignatures(deployment: CredentialsReader, own: readonly OwnApp[] = []): SignatureContext {
  const workspaces = own.map(
    ({ id, waba_id = null }): Workspace => ({ id, waba_id, name: id, own_credentials: true, created_at: 0 }),
  );
  return {
    credentialsOf: (workspace) => own.find(({ id }) => id === workspace?.id)?.credentials ?? deployment,
    ownApps: async () => new Map(workspaces.map((workspace) => [workspace.id, workspace])),
  };
}
