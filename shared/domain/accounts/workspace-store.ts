import type { Member, Workspace } from './workspace.ts';

/** Stores workspaces and their members, for the administration; requests read them through an `AccessReader`. */
export interface WorkspaceStore {
  /** Creates a workspace with its target and a signing secret. */
  create(workspace: Workspace): Promise<void>;
  /** Resolves with `false` when the workspace does not exist. */
  rename(workspace: string, name: string): Promise<boolean>;
  /** Deletes everything in a workspace except its numbers. A failed deletion can be repeated. */
  delete(workspace: string): Promise<void>;
  get(workspace: string): Promise<Workspace | undefined>;
  list(): Promise<Workspace[]>;
  /**
   * Sets or clears (`null`) the upstream business account. Resolves with `false` when the workspace does not exist.
   */
  setBusinessAccount(workspace: string, wabaId: string | null): Promise<boolean>;
  /** Permits the calls of all numbers or of none. Resolves with `false` when the workspace does not exist. */
  setCalling(workspace: string, enabled: boolean): Promise<boolean>;
  /** Says whether it has credentials of its own. Resolves with `false` when the workspace does not exist. */
  setOwnCredentials(workspace: string, hasOwn: boolean): Promise<boolean>;
  /** Adds a member, or changes a member's role. */
  putMember(member: Member): Promise<void>;
  /** Resolves with `false` when the user was not a member. */
  removeMember(workspace: string, user: string): Promise<boolean>;
  listMembers(workspace: string): Promise<Member[]>;
}
