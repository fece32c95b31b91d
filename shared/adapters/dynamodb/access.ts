import type { AccessReader } from '#shared/domain/access/access.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import type { TokenRecord } from '#shared/domain/accounts/token.ts';
import type { Member, Workspace } from '#shared/domain/accounts/workspace.ts';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import { batchGet, type Key } from './batch-get.ts';
import { fromItem } from './item.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

/**
 * Reads in one call all that decides whether a request may go on; in two where the path names a number, whose workspace
 * the first one tells. The token is read again here although the authorizer knew it: the gateway keeps the authorizer's
 * word for minutes, and a revoked token must stop at once.
 */
export function accessReader(table: Table): AccessReader {
  return async ({ tokenHash, user, workspace, flow, number }) => {
    const read = await readRecords(table, {
      token: keys.token(tokenHash),
      ...(number && { number: keys.number(number) }),
      ...workspaceKeys(workspace, user),
      ...(workspace && flow && { flow: keys.flow(workspace, flow) }),
    });
    const found = {
      token: fromItem<TokenRecord>(read.token),
      workspace: fromItem<Workspace>(read.workspace),
      membership: fromItem<Member>(read.membership),
      flow: fromItem<FlowRecord>(read.flow),
      number: fromItem<PhoneNumber>(read.number),
    };
    if (!found.number) return found;
    const owner = await readRecords(table, workspaceKeys(found.number.workspace, user));
    return {
      ...found,
      workspace: fromItem<Workspace>(owner.workspace),
      membership: fromItem<Member>(owner.membership),
    };
  };
}

function workspaceKeys(workspace: string | undefined, user: string): Record<string, Key> {
  if (workspace === undefined) return {};
  return { workspace: keys.workspace(workspace), membership: keys.member(workspace, user) };
}

/** The items under these keys, by the same names. */
async function readRecords(
  table: Table,
  wanted: Record<string, Key>,
): Promise<Record<string, Record<string, unknown>>> {
  const items = await batchGet(table, Object.values(wanted));
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, key]) => {
      const item = items.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
      return item ? [[name, item]] : [];
    }),
  );
}
