export interface Workspace {
  id: string;
  name: string;
  /** The upstream's business account. Without one, no Flow can be created or edited. */
  waba_id: string | null;
  /** Whether its numbers may make and take calls; absent means that they may. Each number has a switch of its own. */
  calling_enabled?: boolean;
  /** Whether it has credentials of its own for the upstream; absent means that it uses those of the deployment. */
  own_credentials?: true;
  /** Epoch milliseconds. */
  created_at: number;
}

/** Whether the workspace permits calls. A call also needs a number that permits them. */
export const permitsCalls = ({ calling_enabled = true }: Workspace): boolean => calling_enabled;

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

/** A person or a program that calls the API. Workspaces refer to it only by its id. */
export interface User {
  id: string;
  name: string;
  /** Epoch milliseconds. */
  created_at: number;
}
