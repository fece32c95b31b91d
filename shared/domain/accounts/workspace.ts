export interface Workspace {
  id: string;
  name: string;
  /** The upstream's business account. Without one, no Flow can be created or edited. */
  waba_id: string | null;
  /** Epoch milliseconds. */
  created_at: number;
}

export const roles = ['owner', 'member'] as const;

export type Role = (typeof roles)[number];

export interface Member {
  workspace: string;
  user: string;
  role: Role;
}

/** Whether the user is the only owner among the members of a workspace. */
export function isLastOwner(members: readonly Member[], user: string): boolean {
  const owners = members.filter(({ role }) => role === 'owner');
  return owners.length === 1 && owners[0]?.user === user;
}
