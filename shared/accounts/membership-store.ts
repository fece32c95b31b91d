import { indexKeys, keys, lastId } from '#shared/aws/keys.ts';
import { queryPages } from '#shared/aws/pages.ts';
import {
  batchGet,
  evenBatches,
  fromItem,
  type Key,
  maxKeys,
  queryItems,
  readRecords,
  type Table,
} from '#shared/aws/table.ts';
import { groupsOf } from '#shared/base/concurrency.ts';
import { invalidField } from '#shared/base/service-error.ts';
import type { Position } from '#shared/http/page.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { Member, Role, Workspace } from './workspace.ts';

/** A workspace of a user, and the user's role in it. */
export interface Membership {
  workspace: Workspace;
  role: Role;
}

export interface UserListQuery {
  user: string;
  /** Where the list begins; at its newest item if absent. */
  from: Position | undefined;
  /** The number of items that the reader expects to take. */
  wanted: number;
}

/** The number of memberships in one call, which reads two items for each. */
const membershipsAtOnce = maxKeys / 2;

/** The number of workspaces whose numbers are read in parallel. A page needs the next ones only if it has room left. */
const workspacesAtOnce = 16;

/** Where a list of numbers begins: at the position `from` in the workspace `start`. */
interface NumbersFrom {
  from: Position | undefined;
  start: string | undefined;
  expected: number;
}

export type MembershipStore = ReturnType<typeof membershipStore>;

/**
 * Finds what a user may see, newest first, or oldest first if the list goes towards newer items. A new membership may
 * be missing for a moment; one that has ended is never found.
 */
export function membershipStore(table: Table) {
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

  async function* listMemberships(user: string, from: Position | undefined, wanted: number) {
    const found = queryItems(table, {
      ...range((workspace) => indexKeys.membershipOfUser(user, workspace), from ?? {}),
      Limit: wanted + 1,
    });
    for await (const group of groupsOf(found, membershipsAtOnce)) {
      yield* await readMemberships(group.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
    }
  }

  async function* listWorkspaces({ user, from, wanted }: UserListQuery): AsyncGenerator<Membership> {
    for await (const membership of listMemberships(user, from, wanted)) {
      // BETWEEN includes its bounds, but the item at which a page starts belongs to the previous page.
      if (membership.workspace.id !== from?.item) yield membership;
    }
  }

  /** The keys of the numbers of these workspaces, one workspace after the other. */
  async function* numberKeys(
    memberships: AsyncIterable<Membership> | Iterable<Membership>,
    { from, start, expected }: NumbersFrom,
  ) {
    for await (const group of groupsOf(memberships, workspacesAtOnce)) {
      const lists = group.map(({ workspace: { id } }) => {
        const position = id === start ? from : from && { towards: from.towards };
        const inWorkspace = range((number) => indexKeys.numberOfWorkspace(id, number), position ?? {});
        return queryPages(table, inWorkspace, expected, (items) => [...items]);
      });
      for (const first of await Promise.all(lists.map((readPage) => readPage()))) {
        yield* first.entries;
        for (let { readOn } = first; readOn; ) {
          const page = await readOn();
          yield* page.entries;
          readOn = page.readOn;
        }
      }
    }
  }

  /** The workspace of the number at which a list begins. */
  async function workspaceOf(number: string): Promise<string> {
    const [item] = await batchGet(table, [keys.number(number)]);
    const found = fromItem<PhoneNumber>(item);
    if (!found) throw invalidField('cursor', 'cursor');
    return found.workspace;
  }

  return {
    listWorkspaces,

    /**
     * The active numbers of one workspace, or of all workspaces of the user, one workspace after the other: a page reads
     * only the workspaces whose numbers it shows. Throws `validation-failed` if the number at which the list begins was
     * deleted.
     */
    async *listNumbers({
      workspace,
      user,
      from,
      wanted,
    }: UserListQuery & { workspace: string | undefined }): AsyncGenerator<PhoneNumber> {
      const start = workspace ?? (from && (await workspaceOf(from.item)));
      const memberships =
        workspace === undefined
          ? listMemberships(user, from && start ? { ...from, item: start } : undefined, wanted)
          : await readMemberships([keys.member(workspace, user)]);
      // One more shows whether there are more, and another may be the item at which the page starts.
      const expected = wanted + 2;
      const found = numberKeys(memberships, { from, start, expected });
      for await (const number of readRecords<PhoneNumber>(table, found, evenBatches(expected))) {
        if (number.active && number.id !== from?.item) yield number;
      }
    },
  };
}

/** A query of `gsi1` for the items from a position on, or for all, by the index keys that an item with an id has. */
function range(
  keyOf: (id: string) => { gsi1pk: string; gsi1sk: string },
  { item, towards = 'older' }: Partial<Position>,
) {
  const ascending = towards === 'newer';
  const { gsi1pk, gsi1sk: last } = keyOf(lastId);
  const start = item === undefined ? undefined : keyOf(item).gsi1sk;
  const kind = last.slice(0, -lastId.length);
  return {
    IndexName: 'gsi1',
    ScanIndexForward: ascending,
    KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk BETWEEN :low AND :high',
    ExpressionAttributeValues: {
      ':pk': gsi1pk,
      ':low': ascending ? (start ?? kind) : kind,
      ':high': ascending ? last : (start ?? last),
    },
  };
}
