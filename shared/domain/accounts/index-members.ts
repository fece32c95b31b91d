import type { WorkspaceStore } from './workspace-store.ts';

/**
 * Lets the members of all workspaces list these. Tables from before these lists need it once. It can be repeated, and
 * returns the number of memberships.
 */
export async function indexMembers(workspaces: WorkspaceStore): Promise<number> {
  let indexed = 0;
  for (const { id } of await workspaces.list()) {
    for (const member of await workspaces.listMembers(id)) if (await workspaces.indexMember(member)) indexed++;
  }
  return indexed;
}
