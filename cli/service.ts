import type { Clock } from '../shared/clock.ts';
import { lazy } from '../shared/lazy.ts';
import { type DeliveryStore, deliveryStore } from '../shared/storage/deliveries.ts';
import { type FlowStore, flowStore } from '../shared/storage/flows.ts';
import { type NumberStore, numberStore } from '../shared/storage/numbers.ts';
import type { Table } from '../shared/storage/table.ts';
import { type TokenStore, tokenStore } from '../shared/storage/tokens.ts';
import { type UserStore, userStore } from '../shared/storage/users.ts';
import { type WorkspaceStore, workspaceStore } from '../shared/storage/workspaces.ts';
import type { Upstream } from './upstream.ts';

/** Where the service is that commands work on. */
export interface Target {
  table: Table;
  /** Throws when it is not said where the credentials are. */
  openUpstream: () => Upstream;
}

/** What commands work on. */
export interface Service {
  workspaces: WorkspaceStore;
  users: UserStore;
  numbers: NumberStore;
  deliveries: Pick<DeliveryStore, 'listHeld' | 'discard'>;
  flows: Pick<FlowStore, 'list'>;
  tokens: TokenStore;
  /** Opened by the commands that need it. */
  upstream: () => Upstream;
  now: Clock;
}

export function openService({ table, openUpstream }: Target, now: Clock = Date.now): Service {
  return {
    workspaces: workspaceStore(table),
    users: userStore(table),
    numbers: numberStore(table),
    deliveries: deliveryStore(table),
    flows: flowStore(table),
    tokens: tokenStore(table),
    upstream: lazy(openUpstream),
    now,
  };
}
