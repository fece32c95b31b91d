import type { TokenRecord } from '#shared/accounts/token.ts';
import type { Member, Workspace } from '#shared/accounts/workspace.ts';
import { keys } from '#shared/aws/keys.ts';
import { batchGet, fromItem, type Key, type Table } from '#shared/aws/table.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { AccessReader } from './authorize.ts';

/**
 * Reads everything that decides whether a request is permitted, in two calls: the token together with what the path
 * names, then the membership, because only the token names its user, and only a number its workspace.
 */
export function accessReader(table: Table): AccessReader {
  return async ({ tokenHash, workspace, flow, number }) => {
    const named = await readRecords(table, {
      token: keys.token(tokenHash),
      ...(number && { number: keys.number(number) }),
      ...(workspace && { workspace: keys.workspace(workspace) }),
      ...(workspace && flow && { flow: keys.flow(workspace, flow) }),
    });
    const found = {
      token: fromItem<TokenRecord>(named.token),
      workspace: fromItem<Workspace>(named.workspace),
      membership: undefined,
      flow: fromItem<FlowRecord>(named.flow),
      number: fromItem<PhoneNumber>(named.number),
    };
    const id = found.number?.workspace ?? found.workspace?.id;
    if (!found.token || id === undefined) return found;
    const owner = await readRecords(table, {
      membership: keys.member(id, found.token.user),
      ...(found.number && { workspace: keys.workspace(id) }),
    });
    return {
      ...found,
      membership: fromItem<Member>(owner.membership),
      ...(found.number && { workspace: fromItem<Workspace>(owner.workspace) }),
    };
  };
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
