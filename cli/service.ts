import { tokenStore } from '#shared/adapters/dynamodb/accounts/tokens.ts';
import { userStore } from '#shared/adapters/dynamodb/accounts/users.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/deliveries/deliveries.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { lazy } from '#shared/base/lazy.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import type { TokenStore } from '#shared/domain/accounts/token-store.ts';
import type { UserStore } from '#shared/domain/accounts/user-store.ts';
import type { WorkspaceStore } from '#shared/domain/accounts/workspace-store.ts';
import type { DeliveryStore } from '#shared/domain/deliveries/delivery-store.ts';
import type { FlowStore } from '#shared/domain/flows/flow-store.ts';
import type { NumberStore } from '#shared/domain/subscribers/number-store.ts';
import type { Upstream } from './upstream.ts';

/** The service that commands work on, as its table and a way to the platform. */
export interface Target {
  table: Table;
  /** Throws when the configuration does not name the credentials. */
  openUpstream: () => Upstream;
}

/** The stores and clients that commands use. */
export interface Service {
  workspaces: WorkspaceStore;
  users: UserStore;
  numbers: NumberStore;
  deliveries: Pick<DeliveryStore, 'listHeld' | 'discard'>;
  flows: Pick<FlowStore, 'list'>;
  tokens: TokenStore;
  /** Opened on first use: most commands do not need the platform. */
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
