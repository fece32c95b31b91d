import type { Clock } from '#shared/base/time.ts';
import { createFlowKey, type FlowKey, keysKept } from './flow-key.ts';
import type { FlowKeyStore, KeyRing } from './flow-key-store.ts';

export interface KeyContext {
  flowKeys: FlowKeyStore;
  now: Clock;
}

/** Reads the keys of a workspace, newest first, and creates the first key if there is none. */
export async function ensureKeys(workspace: string, { flowKeys, now }: KeyContext): Promise<readonly FlowKey[]> {
  const ring = await flowKeys.read(workspace);
  if (ring.keys.length > 0) return ring.keys;
  const keys = [await createFlowKey(now())];
  if (await flowKeys.replace(workspace, ring, keys)) return keys;
  return otherWriters(await flowKeys.read(workspace));
}

/** Adds a new key. The current one stays valid for phones that still use it; older keys are removed. */
export async function rotateKeys(workspace: string, { flowKeys, now }: KeyContext): Promise<readonly FlowKey[]> {
  const ring = await flowKeys.read(workspace);
  const keys = [await createFlowKey(now()), ...ring.keys].slice(0, keysKept);
  if (!(await flowKeys.replace(workspace, ring, keys)))
    throw new Error('Another request changed the keys of the workspace at the same time');
  return keys;
}

function otherWriters({ keys }: KeyRing): readonly FlowKey[] {
  if (keys.length === 0) throw new Error('Another request changed the keys of the workspace at the same time');
  return keys;
}
