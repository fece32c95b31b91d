import type { FlowKey } from './flow-key.ts';

/** The keys of a workspace as they were read. */
export interface KeyRing {
  /** Newest first. */
  keys: readonly FlowKey[];
  /** The version that a write replaces; absent while the keys have no secret of their own. */
  version?: string;
}

/** The Flow keys of workspaces. */
export interface FlowKeyStore {
  read(workspace: string): Promise<KeyRing>;
  /** `false` when somebody else changed them since they were read. */
  replace(workspace: string, current: KeyRing, keys: readonly FlowKey[]): Promise<boolean>;
  /**
   * Moves keys to the secret of their own: copies them, reads the copy, and only then removes the originals. What a
   * crash leaves undone, the next call does. `false` when there was nothing to move.
   */
  move(workspace: string): Promise<boolean>;
}
