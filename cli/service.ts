import type { Clock } from '../shared/clock.ts';
import { type NumberStore, numberStore } from '../shared/storage/numbers.ts';
import type { Table } from '../shared/storage/table.ts';
import { type TokenStore, tokenStore } from '../shared/storage/tokens.ts';
import { type UserStore, userStore } from '../shared/storage/users.ts';
import { type WorkspaceStore, workspaceStore } from '../shared/storage/workspaces.ts';

/** What commands work on. */
export interface Service {
  workspaces: WorkspaceStore;
  users: UserStore;
  numbers: NumberStore;
  tokens: TokenStore;
  now: Clock;
}

export function openService(table: Table, now: Clock = Date.now): Service {
  return {
    workspaces: workspaceStore(table),
    users: userStore(table),
    numbers: numberStore(table),
    tokens: tokenStore(table),
    now,
  };
}
