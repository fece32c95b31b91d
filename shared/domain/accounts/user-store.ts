import type { User } from './user.ts';

export interface UserStore {
  create(user: User): Promise<void>;
  /** Resolves with `false` when the user does not exist. */
  rename(user: string, name: string): Promise<boolean>;
  /** Deletes only the user. The caller deletes tokens and memberships first. */
  delete(user: string): Promise<void>;
  get(user: string): Promise<User | undefined>;
  list(): Promise<User[]>;
}
