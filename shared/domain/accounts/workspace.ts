export interface Workspace {
  id: string;
  name: string;
  /** The upstream's business account. Without one, no Flow can be created or edited. */
  waba_id: string | null;
  /** Epoch milliseconds. */
  created_at: number;
}

export type Role = 'owner' | 'member';

export interface Member {
  workspace: string;
  user: string;
  role: Role;
}
