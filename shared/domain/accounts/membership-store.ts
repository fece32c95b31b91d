import type { Position } from '#shared/base/paging.ts';
import type { PhoneNumber } from '../subscribers/number.ts';
import type { Role, Workspace } from './workspace.ts';

/** A workspace of a user, and the user's role in it. */
export interface Membership {
  workspace: Workspace;
  role: Role;
}

export interface UserListQuery {
  user: string;
  /** Where the list begins; at its newest item if absent. */
  from: Position | undefined;
  /** The number of items that the reader expects to take. */
  wanted: number;
}

/**
 * Finds what a user may see, newest first, or oldest first if the list goes towards newer items. A new membership may
 * be missing for a moment; one that has ended is never found.
 */
export interface MembershipStore {
  listWorkspaces(query: UserListQuery): AsyncIterable<Membership>;
  /**
   * The active numbers of one workspace, or of all workspaces of the user, one workspace after the other: a page reads
   * only the workspaces whose numbers it shows. Throws `validation-failed` if the number at which the list begins was
   * deleted.
   */
  listNumbers(query: UserListQuery & { workspace: string | undefined }): AsyncIterable<PhoneNumber>;
}
