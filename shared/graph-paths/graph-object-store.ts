import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Membership } from '#shared/accounts/membership-store.ts';
import type { TokenRecord } from '#shared/accounts/token.ts';
import type { Member, Workspace } from '#shared/accounts/workspace.ts';
import { keys, prefixes } from '#shared/aws/keys.ts';
import { batchGet, fromItem, type Key, maxKeys, queryIndex, queryPartition, type Table } from '#shared/aws/table.ts';
import { BoundedMap } from '#shared/base/cache.ts';
import { groupsOf } from '#shared/base/concurrency.ts';
import { dayMs } from '#shared/base/time.ts';
import { type FlowRecord, isLive } from '#shared/flows/flow.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';

/** What the table knows of an id of the platform, regardless of who owns the object. */
export type IdEntry =
  /** `number` is our id of the phone number. */
  | { kind: 'number'; number: string }
  | { kind: 'flow'; workspace: string; flow: string }
  | { kind: 'account' | 'template'; account: string };

/** A number, and how its user is tied to it. */
export interface NumberOfUser extends Membership {
  number: PhoneNumber;
}

interface TemplateRecord {
  account: string;
  expires_at: number;
}

/** The most numbers whose media a request without `phone_number_id` looks for. */
const maxNumbers = 10;
const maxWorkspaces = 10;

/** Nothing in the table has this id. */
const nobody = 'nobody';

/** How long the account of a template is remembered. It is written again after half of that. */
const templateKeptMs = 30 * dayMs;

/** The number of templates whose account a process knows to be remembered. */
const knownTemplates = 10_000;

export type GraphObjectStore = ReturnType<typeof graphObjectStore>;

/** What a user has, as far as one request looks, and whether there is more. */
export type Belongings = Awaited<ReturnType<GraphObjectStore['belongingsOf']>>;

/** Ties the platform's ids to users. Apart from the lists of what a user has, every read is consistent. */
export function graphObjectStore(table: Table) {
  const known = new BoundedMap<string, number>(knownTemplates);

  /** Reads items, and returns how to find each of them. */
  async function readAll(wanted: readonly Key[]) {
    const items = wanted.length > 0 ? await batchGet(table, wanted) : [];
    return <T>({ pk, sk }: Key) => fromItem<T>(items.find((item) => item.pk === pk && item.sk === sk));
  }

  const membershipKeys = (workspace: string, user: string) => [keys.workspace(workspace), keys.member(workspace, user)];

  type Find = Awaited<ReturnType<typeof readAll>>;

  function membershipAmong(find: Find, id: string, user: string): Membership | undefined {
    const workspace = find<Workspace>(keys.workspace(id));
    const member = find<Member>(keys.member(id, user));
    return workspace && member && { workspace, role: member.role };
  }

  /** The keys of the first numbers of each workspace. */
  async function numberKeys(workspaces: readonly string[], max: number): Promise<Key[]> {
    const lists = workspaces.map((workspace) => {
      const { pk } = keys.workspace(workspace);
      return take(queryIndex(table, 'gsi1', pk, 'NUMBER#', max), max);
    });
    return (await Promise.all(lists)).flat().slice(0, max);
  }

  function activeNumbers(find: Find, found: readonly Key[], memberships: readonly Membership[]): NumberOfUser[] {
    return found.flatMap((key) => {
      const number = find<PhoneNumber>(key);
      const membership = memberships.find(({ workspace }) => workspace.id === number?.workspace);
      return number?.active && membership ? [{ ...membership, number }] : [];
    });
  }

  return {
    /** The record of a token, and what the table knows of each id. */
    async readEntries(tokenHash: string, ids: readonly string[], now: number) {
      const { phoneNumberId, upstreamFlow, account, template } = keys;
      const keysOf = (id: string) => [phoneNumberId, upstreamFlow, account, template].map((keyOf) => keyOf(id));
      const find = await readAll([keys.token(tokenHash), ...[...new Set(ids)].flatMap(keysOf)]);
      return {
        token: find<TokenRecord>(keys.token(tokenHash)),
        entryOf(id: string): IdEntry | undefined {
          const number = find<{ number: string }>(phoneNumberId(id));
          if (number) return { kind: 'number', ...number };
          const flow = find<{ workspace: string; flow: string }>(upstreamFlow(id));
          if (flow) return { kind: 'flow', ...flow };
          if (find(account(id))) return { kind: 'account', account: id };
          const of = find<TemplateRecord>(template(id));
          return of && of.expires_at > now ? { kind: 'template', account: of.account } : undefined;
        },
      };
    },

    /** The number, if it is active and in one of the user's workspaces. Reads twice, whatever it finds. */
    async numberOf(user: string, id: string): Promise<NumberOfUser | undefined> {
      const key = keys.number(id);
      const number = (await readAll([key]))<PhoneNumber>(key);
      const workspace = number?.workspace ?? nobody;
      const membership = membershipAmong(await readAll(membershipKeys(workspace, user)), workspace, user);
      return number?.active && membership ? { ...membership, number } : undefined;
    },

    /** Takes the time of so many reads that find nothing. */
    async readNothing(times: number): Promise<void> {
      for (let time = 0; time < times; time++) await readAll([keys.number(nobody)]);
    },

    /** The user's membership in the workspace of a Flow that exists. */
    async membershipOfFlow(user: string, { workspace, flow }: { workspace: string; flow: string }) {
      const find = await readAll([keys.flow(workspace, flow), ...membershipKeys(workspace, user)]);
      const record = find<FlowRecord>(keys.flow(workspace, flow));
      return record && isLive(record) ? membershipAmong(find, workspace, user) : undefined;
    },

    /** The user's memberships in workspaces of a business account. */
    async membershipsIn(account: string, user: string): Promise<Membership[]> {
      const memberships: Membership[] = [];
      const entries = queryPartition(table, keys.account(account).pk, prefixes.workspace);
      for await (const group of groupsOf(entries, maxKeys / 2)) {
        const workspaces = group.map(({ workspace }) => String(workspace));
        const find = await readAll(workspaces.flatMap((workspace) => membershipKeys(workspace, user)));
        memberships.push(...workspaces.flatMap((workspace) => membershipAmong(find, workspace, user) ?? []));
      }
      return memberships.filter(({ workspace }) => workspace.waba_id === account);
    },

    async belongingsOf(user: string) {
      const query = queryIndex(table, 'gsi1', keys.user(user).pk, prefixes.workspace, maxWorkspaces + 1);
      const workspaces = (await take(query, maxWorkspaces + 1)).map(({ pk }) => pk.slice(prefixes.workspace.length));
      const looked = workspaces.slice(0, maxWorkspaces);
      const numbers = await numberKeys(looked, maxNumbers + 1);
      const find = await readAll([...looked.flatMap((workspace) => membershipKeys(workspace, user)), ...numbers]);
      const memberships = looked.flatMap((workspace) => membershipAmong(find, workspace, user) ?? []);
      return {
        memberships,
        numbers: activeNumbers(find, numbers.slice(0, maxNumbers), memberships),
        more: workspaces.length > maxWorkspaces || numbers.length > maxNumbers,
      };
    },

    /** The active ones of the first `max` numbers of these workspaces, and whether there are more numbers. */
    async numbersIn(memberships: readonly Membership[], max: number) {
      const workspaces = memberships.map(({ workspace }) => workspace.id);
      const found = await numberKeys(workspaces, max + 1);
      const first = found.slice(0, max);
      const numbers = activeNumbers(await readAll(first), first, memberships).map(({ number }) => number);
      return { numbers, more: found.length > max };
    },

    /** Those of these ids of numbers that are active in one of the workspaces. */
    async numbersAmong(phoneNumberIds: readonly string[], memberships: readonly Membership[]): Promise<string[]> {
      const findClaim = await readAll(phoneNumberIds.map(keys.phoneNumberId));
      const ids = phoneNumberIds.flatMap((id) => findClaim<{ number: string }>(keys.phoneNumberId(id))?.number ?? []);
      const found = ids.map(keys.number);
      return activeNumbers(await readAll(found), found, memberships).map(({ number }) => number.phone_number_id);
    },

    /** Those of these ids of Flows that belong to one of the workspaces. */
    async flowsAmong(waIds: readonly string[], memberships: readonly Membership[]): Promise<string[]> {
      const find = await readAll(waIds.map(keys.upstreamFlow));
      const workspaceOf = (id: string) => find<{ workspace: string }>(keys.upstreamFlow(id))?.workspace;
      return waIds.filter((id) => memberships.some(({ workspace }) => workspace.id === workspaceOf(id)));
    },

    /** Those of these templates that are remembered to be in the account. */
    async templatesIn(account: string, ids: readonly string[], now: number): Promise<string[]> {
      const find = await readAll(ids.map(keys.template));
      return ids.filter((id) => {
        const record = find<TemplateRecord>(keys.template(id));
        return record?.account === account && record.expires_at > now;
      });
    },

    /** Remembers the account of up to a hundred templates. */
    async rememberTemplates(account: string, ids: readonly string[], now: number): Promise<void> {
      const isStale = (until = 0) => until - now < templateKeptMs / 2;
      const unsure = [...new Set(ids)].filter((id) => isStale(known.get(id)));
      const find = await readAll(unsure.map(keys.template));
      const stored = (id: string) => find<TemplateRecord>(keys.template(id))?.expires_at;
      const stale = unsure.filter((id) => isStale(stored(id)));
      const expires_at = now + templateKeptMs;
      const record = { account, expires_at, expires_at_seconds: Math.ceil(expires_at / 1000) };
      const TransactItems = stale.map((id) => ({
        Put: { TableName: table.name, Item: { ...keys.template(id), ...record } },
      }));
      if (stale.length > 0) await table.client.send(new TransactWriteCommand({ TransactItems }));
      for (const id of unsure) known.set(id, stale.includes(id) ? expires_at : (stored(id) ?? 0));
    },
  };
}

/** The keys of the first items. */
async function take(items: AsyncIterable<Record<string, unknown>>, max: number): Promise<Key[]> {
  const taken: Key[] = [];
  for await (const { pk, sk } of items) {
    taken.push({ pk: String(pk), sk: String(sk) });
    if (taken.length === max) break;
  }
  return taken;
}
