import { getRecords } from '#shared/aws/item.ts';
import { queryIndex } from '#shared/aws/query.ts';
import type { Table } from '#shared/aws/table.ts';
import { cached } from '#shared/base/cache.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import type { SignatureContext } from './event-signature.ts';
import type { Workspace } from './workspace.ts';

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
