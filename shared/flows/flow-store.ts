import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { indexKeys, keys, lastId } from '#shared/aws/keys.ts';
import { fromItem, getRecord, getRecords, type Key, queryIndex, required, type Table } from '#shared/aws/table.ts';
import {
  assign,
  type Condition,
  claimedBy,
  heldBy,
  onCondition,
  unlessCanceled,
  unlessUnmet,
} from '#shared/aws/write.ts';
import { BoundedMap } from '#shared/base/cache.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { leaseFor } from '#shared/base/time-limits.ts';
import type { FlowStatus } from './catalogue.ts';
import {
  type ChangeIntent,
  type FlowMetadata,
  type FlowRecord,
  flowBusy,
  isLive,
  isOutdatedReading,
  type LiveFlow,
  type PendingChange,
} from './flow.ts';
import { entryWrites, type FlowPageQuery, listFlows } from './flow-list-store.ts';

export type LeasedFlow = FlowRecord & { lease: { holder: string; until: number } };

export type FlowChanges = Partial<
  FlowMetadata & Pick<FlowRecord, 'wa_id' | 'status' | 'status_heard_at' | 'version' | 'json'>
>;

/** How often a save is tried while reports of the upstream keep changing the status. */
const maxSaves = 5;

const rememberedPlaces = 10_000;

export type FlowStore = ReturnType<typeof flowStore>;

/**
 * Stores Flows, and lists them newest first by their UUIDv7 ids. Every write after the first requires a lease: a claim
 * records who changes the Flow and the intent, and only that holder can save, remove, release or suspend the Flow.
 */
export function flowStore(table: Table) {
  const { client, name: TableName } = table;
  const target = (flow: FlowRecord) => ({ TableName, Key: keys.flow(flow.workspace, flow.id) });

  const places = new BoundedMap<string, Key>(rememberedPlaces);

  async function findPlace(flow: string): Promise<Key | undefined> {
    for await (const { pk, sk } of queryIndex(table, 'gsi1', indexKeys.flow(flow).gsi1pk)) {
      const place = { pk: String(pk), sk: String(sk) };
      places.set(flow, place);
      return place;
    }
    return undefined;
  }

  /**
   * Assigns the upstream's Flow to this Flow permanently: two attempts at one creation may both find it, and only one
   * may keep it. The claim is a separate item because an index would show it too late.
   */
  async function claimUpstream(flow: FlowRecord, waId: string, now: number): Promise<void> {
    const claim = new PutCommand({
      TableName,
      Item: { ...keys.upstreamFlow(waId), workspace: flow.workspace, flow: flow.id },
      ConditionExpression: 'attribute_not_exists(pk) OR #flow = :flow',
      ExpressionAttributeNames: { '#flow': 'flow' },
      ExpressionAttributeValues: { ':flow': flow.id },
    });
    await unlessUnmet<unknown>(client.send(claim), () => {
      throw flowBusy(flow, now);
    });
  }

  return {
    /**
     * Stores a Flow that is about to be created upstream. Its creator holds the lease, and clients cannot see the Flow
     * yet.
     */
    async insert(flow: LeasedFlow): Promise<void> {
      const Item = {
        ...keys.flow(flow.workspace, flow.id),
        ...indexKeys.flow(flow.id),
        ...indexKeys.changingFlow(flow.workspace, flow.id),
        ...flow,
      };
      await client.send(new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }));
    },

    /**
     * Takes the lease and records the intent. If an abandoned change is on record, that record stays, to be reconciled
     * first. Throws `flow.not-found` when the Flow does not exist, `flow.busy` while another request holds the lease.
     */
    async claim(flow: FlowRecord, holder: string, intent: ChangeIntent | undefined, now: number): Promise<LeasedFlow> {
      const pending: PendingChange | undefined = intent && { lease: holder, started_at: now, ...intent };
      const { ConditionExpression, ...aliases } = claimedBy(holder, now);
      const change = assign(
        { lease: leaseFor(holder, now), ...(pending && indexKeys.changingFlow(flow.workspace, flow.id)) },
        [],
        pending && { pending: 'if_not_exists(#pending, :pending)' },
        pending && { ':pending': pending },
      );
      const claim = new UpdateCommand({
        ...target(flow),
        ...onCondition(change, {
          ConditionExpression: `attribute_exists(pk) AND ${ConditionExpression}`,
          ...aliases,
        }),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const claimed = client.send(claim).then(({ Attributes }) => toLeasedFlow(Attributes));
      return unlessUnmet(claimed, ({ item }) => {
        throw item ? flowBusy(required(fromItem<FlowRecord>(item)), now) : new ServiceError('flow.not-found');
      });
    },

    /** Records the next change of the holder, after it has reconciled an abandoned one. */
    async intend(flow: LeasedFlow, intent: ChangeIntent, now: number): Promise<LeasedFlow> {
      const pending: PendingChange = { lease: flow.lease.holder, started_at: now, ...intent };
      const change = assign({ pending, ...indexKeys.changingFlow(flow.workspace, flow.id) });
      const update = { ...target(flow), ...onCondition(change, heldBy(flow.lease.holder)) };
      const { Attributes } = await client.send(new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' }));
      return toLeasedFlow(Attributes);
    },

    /**
     * Saves the result of the change and removes its record; with `keepLease` the holder keeps the lease.
     * `status_heard_at` says when the upstream was asked about the status, by default now. The store keeps a status that
     * is known since a later time.
     */
    async save(flow: LeasedFlow, changes: FlowChanges, now: number, keepLease = false): Promise<FlowRecord> {
      if (changes.wa_id !== undefined) await claimUpstream(flow, changes.wa_id, now);
      const { status: _, status_heard_at: __, ...others } = changes;
      const held = heldBy(flow.lease.holder);

      /** The update that makes the change of a Flow in the state `before`. */
      function updateOver(before: FlowRecord) {
        const heard = knowledgeAfter(before, flow, changes, now);
        const updated_at = flow.pending?.change === 'create' ? flow.created_at : Math.max(now, flow.created_at);
        const attributes = { ...others, ...heard, updated_at };
        const absent = heard && heard.replaced_status === undefined ? ['replaced_status'] : [];
        const assigned = assign(attributes, [...recordOfChange, ...absent, ...(keepLease ? [] : ['lease'])]);
        const update = { ...target(flow), ...onCondition(assigned, heard ? unlessHeardLater(held, before) : held) };
        return { attributes, update, status: (heard ?? before).status };
      }

      async function saveOver(before: FlowRecord, tries = maxSaves): Promise<FlowRecord> {
        const { attributes, update, status } = updateOver(before);
        if (isLive(before) && status === before.status) {
          const inPlace = client.send(new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' }));
          const saved = inPlace.then(({ Attributes }) => required(fromItem<FlowRecord>(Attributes)));
          return unlessUnmet(saved, () => saveOverCurrent(tries - 1));
        }
        // Clients see a Flow once it has an upstream id; from then on it is in the list of its status.
        const TransactItems = [{ Update: update }, ...entryWrites(TableName, flow, status)];
        if (!(await unlessCanceled(client.send(new TransactWriteCommand({ TransactItems }))))) {
          return saveOverCurrent(tries - 1);
        }
        const { pending: _, lease: __, ...unchanged } = before;
        return { ...unchanged, ...attributes, ...(keepLease && { lease: flow.lease }) };
      }

      /** A report of the upstream may have changed the status since the claim. */
      async function saveOverCurrent(tries: number): Promise<FlowRecord> {
        if (tries === 0) throw flowBusy(flow, flow.lease.until);
        const current = await getRecord<FlowRecord>(table, keys.flow(flow.workspace, flow.id));
        if (current?.lease?.holder === flow.lease.holder) return saveOver(current, tries);
        throw new Error(`This process has lost the lease of the Flow ${flow.id}`);
      }

      return saveOver(flow);
    },

    async remove(flow: LeasedFlow): Promise<void> {
      const removal = { ...target(flow), ...heldBy(flow.lease.holder) };
      if (!isLive(flow)) return void (await client.send(new DeleteCommand(removal)));
      const claim = { TableName, Key: keys.upstreamFlow(flow.wa_id) };
      const TransactItems = [{ Delete: removal }, { Delete: claim }, ...entryWrites(TableName, flow)];
      await client.send(new TransactWriteCommand({ TransactItems }));
    },

    /** Releases the lease after a change that was not made, and removes the record of the change. */
    async release(flow: FlowRecord, holder: string): Promise<void> {
      const UpdateExpression = `REMOVE ${recordOfChange.join(', ')}, lease`;
      await client.send(new UpdateCommand({ ...target(flow), UpdateExpression, ...heldBy(holder) }));
    },

    /** Releases the lease but leaves the change on record, because its outcome is unknown. */
    async suspend(flow: LeasedFlow): Promise<void> {
      const UpdateExpression = 'REMOVE lease';
      await client.send(new UpdateCommand({ ...target(flow), UpdateExpression, ...heldBy(flow.lease.holder) }));
    },

    get: (workspace: string, flow: string) => getRecord<FlowRecord>(table, keys.flow(workspace, flow)),

    /** Finds the Flow with this id in any workspace. A Flow's workspace never changes, so the store remembers it. */
    async find(flow: string): Promise<FlowRecord | undefined> {
      const key = places.get(flow) ?? (await findPlace(flow));
      return key && getRecord<FlowRecord>(table, key);
    },

    /** Lists the Flows of a workspace from a position on, including Flows that clients cannot see yet. */
    list: (query: FlowPageQuery): AsyncGenerator<FlowRecord> => listFlows(table, query),

    /** Flows called `name` in a workspace whose creation has not ended. The index that this uses may lag behind. */
    async findPendingCreates(workspace: string, name: string): Promise<FlowRecord[]> {
      const { gsi2pk } = indexKeys.changingFlow(workspace, lastId);
      const changing = await getRecords<FlowRecord>(table, queryIndex(table, 'gsi2', gsi2pk));
      return changing.filter((flow) => flow.pending?.change === 'create' && flow.name === name);
    },

    /** Finds the Flow with this upstream id in any workspace. */
    async findByUpstreamId(waId: string): Promise<LiveFlow | undefined> {
      const claim = await getRecord<{ workspace: string; flow: string }>(table, keys.upstreamFlow(waId));
      const flow = claim && (await getRecord<FlowRecord>(table, keys.flow(claim.workspace, claim.flow)));
      return flow && isLive(flow) && flow.wa_id === waId ? flow : undefined;
    },

    /**
     * Adopts the status that the upstream reports for a Flow, unless the report is outdated. `at` is the event's time,
     * because events arrive repeatedly and out of order. It has a precision of seconds. No status follows `DEPRECATED`.
     */
    async followUpstreamStatus(flow: LiveFlow, status: FlowStatus, at: number): Promise<void> {
      const update = assign({ status, status_heard_at: at }, ['replaced_status']);
      const follow = {
        TableName,
        Key: keys.flow(flow.workspace, flow.id),
        ...update,
        ExpressionAttributeValues: {
          ...update.ExpressionAttributeValues,
          ':wa_id': flow.wa_id,
          ':final': 'DEPRECATED',
        },
        // That the report is not outdated, see `isOutdatedReport`.
        ConditionExpression:
          'wa_id = :wa_id AND #status <> :final AND (attribute_not_exists(#status_heard_at) OR #status_heard_at < :status_heard_at OR (#status_heard_at = :status_heard_at AND (attribute_not_exists(#replaced_status) OR #replaced_status <> :status)))',
      };
      const entries = entryWrites(TableName, flow, status);
      await unlessCanceled(client.send(new TransactWriteCommand({ TransactItems: [{ Update: follow }, ...entries] })));
    },

    /** Returns whether the upstream's Flow belongs to a Flow of ours other than this one. */
    async isTaken(waId: string, flow: string): Promise<boolean> {
      const claim = await getRecord<{ flow: string }>(table, keys.upstreamFlow(waId));
      return claim !== undefined && claim.flow !== flow;
    },
  };
}

/** The condition, and that the status is still the one `before` and no later one than that of the change is known. */
function unlessHeardLater(
  { ConditionExpression, ExpressionAttributeValues }: Condition,
  before: FlowRecord,
): Condition {
  return {
    ConditionExpression: `${ConditionExpression} AND #status = :before AND (attribute_not_exists(#status_heard_at) OR #status_heard_at <= :status_heard_at)`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':before': before.status },
  };
}

/** What is known of the status after a change that set or read it, unless a later one is known already. */
function knowledgeAfter(
  before: FlowRecord,
  claimed: LeasedFlow,
  { status, status_heard_at: readAt }: FlowChanges,
  now: number,
): Pick<FlowRecord, 'status' | 'status_heard_at' | 'replaced_status'> | undefined {
  if (status === undefined) return undefined;
  const second = Math.floor((readAt ?? now) / 1000) * 1000;
  if (isOutdatedReading(before, claimed, status, second)) return undefined;
  const status_heard_at = Math.max(second, before.status_heard_at ?? 0);
  const replaced = before.status_heard_at === status_heard_at ? before.replaced_status : undefined;
  return { status, status_heard_at, replaced_status: status === before.status ? replaced : before.status };
}

const recordOfChange = ['pending', 'gsi2pk', 'gsi2sk'];

function toLeasedFlow(attributes: Record<string, unknown> | undefined): LeasedFlow {
  return required(fromItem<LeasedFlow>(attributes));
}
