import type { AccessReader } from '#shared/domain/access/access.ts';
import type { TokenRecord } from '#shared/domain/accounts/token.ts';
import type { Member, Workspace } from '#shared/domain/accounts/workspace.ts';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { batchGet, type Key } from '../table/batch-get.ts';
import { fromItem } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/**
 * Reads everything that decides whether a request is permitted: in one call, or in two if the path names a number,
 * because only the number's record names its workspace. The token is read again although the authorizer has read it:
 * the gateway caches the authorizer's result for minutes, but a revoked token must stop working immediately.
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

/** Reads the items under these keys and returns them under the same names. */
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
