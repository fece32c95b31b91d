import type { KeyObject } from 'node:crypto';
import { minuteMs } from '#shared/base/time.ts';

/** Reads the private keys of a workspace, newest first, from a cache that is at most `maxAgeMs` old. */
export type PrivateKeysReader = (workspace: string, maxAgeMs: number) => Promise<readonly KeyObject[]>;

/**
 * Keys are cached for `keysKeptMs`. If no key fits, they may have been rotated in the meantime, so they are read again
 * unless they are younger than `keysFreshMs`.
 */
export const keysKeptMs = 5 * minuteMs;
const keysFreshMs = 1_000;

/** Opens something with the keys of a workspace; `undefined` if none of them fits. */
export async function openWithKeys<T>(
  workspace: string,
  privateKeys: PrivateKeysReader,
  open: (keys: readonly KeyObject[]) => T | undefined,
): Promise<T | undefined> {
  const keys = await privateKeys(workspace, keysKeptMs);
  const opened = open(keys);
  if (opened !== undefined) return opened;
  const fresh = await privateKeys(workspace, keysFreshMs);
  return fresh === keys ? undefined : open(fresh);
}
