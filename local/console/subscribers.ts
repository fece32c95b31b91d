import type { Workspace } from '#shared/accounts/workspace.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import type { Table } from '#shared/aws/table.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';

export interface Subscribers {
  readonly workspaces: Workspace[];
  readonly numbers: PhoneNumber[];
}

/** The workspaces and their numbers, oldest first. */
export async function subscribersIn(table: Table): Promise<Subscribers> {
  const workspaces = (await workspaceStore(table).list()).toSorted(byAge);
  const numbers = await Promise.all(workspaces.map(({ id }) => numberStore(table).listByWorkspace(id)));
  return { workspaces, numbers: numbers.flat().toSorted(byAge) };
}

type Aged = Pick<Workspace, 'id' | 'created_at'>;

const byAge = (one: Aged, other: Aged) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1);
