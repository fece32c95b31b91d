import { cached } from '#shared/base/cache.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { minuteMs } from '#shared/base/time/duration.ts';
import type { SignatureContext } from '#shared/domain/access/upstream-signature.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { getRecords } from '../table/item.ts';
import { queryIndex } from '../table/query.ts';
import type { Table } from '../table/table.ts';

const keptForMs = 5 * minuteMs;

/** Reads which workspaces have credentials of their own, usually few, and caches that for minutes. */
export function ownAppsReader(table: Table, now: Clock): SignatureContext['ownApps'] {
  return cached(
    async () => {
      const workspaces = await listOwnApps(table);
      return new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    },
    keptForMs,
    now,
  );
}

/** Lists the workspaces that have credentials of their own. The index may lag behind by a moment. */
export async function listOwnApps(table: Table): Promise<Workspace[]> {
  const workspaces = await getRecords<Workspace>(table, queryIndex(table, 'gsi2', 'OWN_CREDENTIALS'));
  return workspaces.filter(({ own_credentials }) => own_credentials);
}
