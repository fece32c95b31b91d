import type { FlowKey } from './flow-key.ts';

/** The keys of a workspace, with the version at which they were read. */
export interface KeyRing {
  /** Newest first. */
  keys: readonly FlowKey[];
  /** The version that a write replaces; absent while the workspace has no keys. */
  version?: string;
}

/** Stores the Flow keys of workspaces. */
export interface FlowKeyStore {
  read(workspace: string): Promise<KeyRing>;
  /** Resolves with `false` when another writer changed the keys since they were read. */
  replace(workspace: string, current: KeyRing, keys: readonly FlowKey[]): Promise<boolean>;
}
