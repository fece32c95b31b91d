import type { Position } from '#shared/base/paging.ts';
import type {
  Membership,
  MembershipStore,
  NumberOfUser,
  UserListQuery,
} from '#shared/domain/accounts/membership-store.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import type { Member, Workspace } from '#shared/domain/accounts/workspace.ts';
import { batchGet, type Key, mostKeys } from './batch-get.ts';
import { evenBatches, fromItem, readRecords } from './item.ts';
import { indexKeys, keys, lastId } from './keys.ts';
import { firstPage, mergePages, queryPages } from './merge-pages.ts';
import { queryItems } from './query.ts';
import type { Table } from './table.ts';

/** The number of memberships in one call, which reads two items for each. */
const membershipsAtOnce = mostKeys / 2;

export function membershipStore(table: Table): MembershipStore {
  /** Reads memberships with their workspaces, and leaves out what no longer exists. */
  async function readMemberships(members: readonly Key[]): Promise<Membership[]> {
    const workspaceKey = ({ pk }: Key) => ({ pk, sk: keys.workspace(lastId).sk });
    const items = await batchGet(table, [...members, ...members.map(workspaceKey)]);
    const find = ({ pk, sk }: Key) => items.find((item) => item.pk === pk && item.sk === sk);
    return members.flatMap((key) => {
      const member = fromItem<Member>(find(key));
      const workspace = fromItem<Workspace>(find(workspaceKey(key)));
      return member && workspace ? [{ workspace, role: member.role }] : [];
    });
  }

  async function* listMemberships(user: string, from: Position | undefined, wanted?: number) {
    let batch: Key[] = [];
    const found = queryItems(table, {
      ...range((workspace) => indexKeys.membershipOfUser(user, workspace), from),
      ...(wanted && { Limit: wanted + 1 }),
    });
    for await (const { pk, sk } of found) {
      batch.push({ pk: String(pk), sk: String(sk) });
      if (batch.length < membershipsAtOnce) continue;
      yield* await readMemberships(batch);
      batch = [];
    }
    if (batch.length > 0) yield* await readMemberships(batch);
  }

  async function* listWorkspaces({ user, from, wanted }: UserListQuery): AsyncGenerator<Membership> {
    for await (const membership of listMemberships(user, from, wanted)) {
      // BETWEEN includes its bounds, but the item at which a page starts belongs to the previous page.
      if (membership.workspace.id !== from?.item) yield membership;
    }
  }

  /** Reads the numbers of these workspaces in parallel and merges them by their ids. */
  async function* listNumbers(
    workspaces: readonly Workspace[],
    { from, wanted }: UserListQuery,
  ): AsyncGenerator<NumberOfUser> {
    const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    // One more shows whether there are more, and another may be the item at which the page starts.
    const expected = wanted + 2;
    const lists = workspaces.map(({ id }) => {
      const inWorkspace = range((number) => indexKeys.numberOfWorkspace(id, number), from);
      return queryPages(table, inWorkspace, firstPage(expected, workspaces.length), (items) => [...items]);
    });
    const ascending = from?.towards === 'newer';
    const found = mergePages(lists, (one, other) => String(one.pk) < String(other.pk) === ascending);
    for await (const number of readRecords<PhoneNumber>(table, found, evenBatches(expected))) {
      const workspace = byId.get(number.workspace);
      if (workspace && number.active && number.id !== from?.item) yield { number, workspace };
    }
  }

  return {
    listWorkspaces,

    async *listNumbers({ workspace, ...query }) {
      const memberships =
        workspace === undefined
          ? await Array.fromAsync(listMemberships(query.user, undefined))
          : await readMemberships([keys.member(workspace, query.user)]);
      yield* listNumbers(
        memberships.map((membership) => membership.workspace),
        query,
      );
    },
  };
}

/** A query of `gsi1` for the items from a position on, or for all, by the index keys that an item with an id has. */
function range(keyOf: (id: string) => { gsi1pk: string; gsi1sk: string }, from: Position | undefined) {
  const ascending = from?.towards === 'newer';
  const { gsi1pk, gsi1sk: last } = keyOf(lastId);
  const start = from && keyOf(from.item).gsi1sk;
  const kind = last.slice(0, -lastId.length);
  return {
    IndexName: 'gsi1',
    ScanIndexForward: ascending,
    KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk BETWEEN :low AND :high',
    ExpressionAttributeValues: {
      ':pk': gsi1pk,
      ':low': ascending ? start : kind,
      ':high': ascending ? last : (start ?? last),
    },
  };
}
