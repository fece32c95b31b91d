import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import type { FlowStatus } from '#shared/domain/flows/catalogue.ts';
import type { ChangeIntent, FlowRecord, PendingChange } from '#shared/domain/flows/flow.ts';
import { assign } from './assign.ts';
import { unlessUnmet } from './condition.ts';
import { fromItem, getRecord, getRecords } from './item.ts';
import { indexKeys, keys, prefixes } from './keys.ts';
import { queryIndex, queryItems } from './query.ts';
import type { Table } from './table.ts';

/** How long a holder may change a Flow alone; longer than any operation lasts, see `changeBudget`. */
export const leaseMilliseconds = 20_000;

type FlowKey = ReturnType<typeof keys.flow>;

export type FlowStore = ReturnType<typeof flowStore>;

/** A Flow that this request holds the lease of. */
export type HeldFlow = FlowRecord & { lease: { holder: string; until: number } };

/** What a finished change writes. */
export type FlowChanges = Partial<
  Pick<
    FlowRecord,
    'wa_id' | 'status' | 'version' | 'json' | 'name' | 'categories' | 'endpoint_url' | 'endpoint_encrypted'
  >
>;

/** Where a page of the list begins, and in which direction it runs. */
export interface FlowPageQuery {
  workspace: string;
  status?: FlowStatus | undefined;
  /** Flows on this side of the Flow with this id. */
  from?: { flow: string; towards: 'older' | 'newer' } | undefined;
  /** How many Flows are likely to be read: no more are at first. */
  expected?: number | undefined;
}

/**
 * Flows, newest first by their UUIDv7 ids. Every write beyond the first is made under a lease: a claim records who
 * changes the Flow and what is intended, and only that holder can save, remove, release or suspend it.
 */
export function flowStore(table: Table) {
  const { client, name: TableName } = table;
  const target = (flow: FlowRecord) => ({ TableName, Key: keys.flow(flow.workspace, flow.id) });
  const heldBy = (holder: string) => ({
    ConditionExpression: 'lease.holder = :holder',
    ExpressionAttributeValues: { ':holder': holder },
  });

  const places = new Map<string, FlowKey>();

  async function findPlace(flow: string): Promise<FlowKey | undefined> {
    for await (const { pk, sk } of queryIndex(table, 'gsi1', indexKeys.flow(flow).gsi1pk)) {
      const place = { pk: String(pk), sk: String(sk) };
      places.set(flow, place);
      return place;
    }
    return undefined;
  }

  /**
   * Makes the upstream's Flow ours, for good: two tries of one creation may both find it, and only one may keep it. An
   * index would tell too late, so it is an item of its own.
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
    /** Keeps a Flow that is about to be created upstream, held by its creator and not yet to be seen. */
    async insert(flow: HeldFlow): Promise<void> {
      const Item = {
        ...keys.flow(flow.workspace, flow.id),
        ...indexKeys.flow(flow.id),
        ...indexKeys.flowBeingCreated(flow.workspace, flow.id),
        ...flow,
      };
      await client.send(new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }));
    },

    /**
     * Takes the lease and records the intent, unless an abandoned change is recorded: that one stays, to be settled.
     * `not-found` when there is no such Flow, `busy` while somebody else holds it.
     */
    async claim(flow: FlowRecord, holder: string, intent: ChangeIntent | undefined, now: number): Promise<HeldFlow> {
      const pending: PendingChange | undefined = intent && { lease: holder, started_at: now, ...intent };
      const claim = new UpdateCommand({
        ...target(flow),
        UpdateExpression: `SET #lease = :lease${pending ? ', pending = if_not_exists(pending, :pending)' : ''}`,
        ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(#lease) OR #lease.#until <= :now)',
        ExpressionAttributeNames: { '#lease': 'lease', '#until': 'until' },
        ExpressionAttributeValues: {
          ':lease': { holder, until: now + leaseMilliseconds },
          ':now': now,
          ...(pending && { ':pending': pending }),
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const claimed = client.send(claim).then(({ Attributes }) => held(Attributes));
      return unlessUnmet(claimed, ({ item }) => {
        throw item ? flowBusy(required(fromItem<FlowRecord>(item)), now) : new ServiceError('flow.not-found');
      });
    },

    /** Records what the holder goes on to do, once an abandoned change is settled. */
    async intend(flow: HeldFlow, intent: ChangeIntent, now: number): Promise<HeldFlow> {
      const pending: PendingChange = { lease: flow.lease.holder, started_at: now, ...intent };
      const { ConditionExpression, ExpressionAttributeValues } = heldBy(flow.lease.holder);
      const { Attributes } = await client.send(
        new UpdateCommand({
          ...target(flow),
          UpdateExpression: 'SET pending = :pending',
          ConditionExpression,
          ExpressionAttributeValues: { ...ExpressionAttributeValues, ':pending': pending },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return held(Attributes);
    },

    /** Saves what the change did and ends it; with `keepLease` the holder goes on. */
    async save(flow: HeldFlow, changes: FlowChanges, now: number, keepLease = false): Promise<FlowRecord> {
      if (changes.wa_id !== undefined) await claimUpstream(flow, changes.wa_id, now);
      const attributes = {
        ...changes,
        ...(changes.wa_id && indexKeys.upstreamFlow(changes.wa_id)),
        // Events of before are overtaken by what we know now; the upstream tells their time in seconds.
        ...(changes.status && { status_heard_at: Math.floor(now / 1000) * 1000 }),
        updated_at: Math.max(now, flow.created_at),
      };
      const update = assign(attributes, keepLease ? ['pending'] : ['pending', 'lease']);
      const { ConditionExpression, ExpressionAttributeValues } = heldBy(flow.lease.holder);
      const { Attributes } = await client.send(
        new UpdateCommand({
          ...target(flow),
          ...update,
          ConditionExpression,
          ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...ExpressionAttributeValues },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return required(fromItem<FlowRecord>(Attributes));
    },

    async remove(flow: HeldFlow): Promise<void> {
      await client.send(new DeleteCommand({ ...target(flow), ...heldBy(flow.lease.holder) }));
      // The upstream gives no id twice: one that is left over stands in nobody's way.
      if (flow.wa_id) await client.send(new DeleteCommand({ TableName, Key: keys.upstreamFlow(flow.wa_id) }));
    },

    /** Gives the lease back: nothing was changed anywhere. */
    async release(flow: FlowRecord, holder: string): Promise<void> {
      await client.send(
        new UpdateCommand({ ...target(flow), UpdateExpression: 'REMOVE pending, lease', ...heldBy(holder) }),
      );
    },

    /** Gives the lease back but leaves the change recorded: its outcome is not known. */
    async suspend(flow: HeldFlow): Promise<void> {
      await client.send(
        new UpdateCommand({ ...target(flow), UpdateExpression: 'REMOVE lease', ...heldBy(flow.lease.holder) }),
      );
    },

    get: (workspace: string, flow: string) => getRecord<FlowRecord>(table, keys.flow(workspace, flow)),

    /** The Flow with this id in whichever workspace it is, which never changes and is remembered. */
    async find(flow: string): Promise<FlowRecord | undefined> {
      const key = places.get(flow) ?? (await findPlace(flow));
      return key && getRecord<FlowRecord>(table, key);
    },

    /** Flows of a workspace from a place on, those included that nobody may see yet. */
    async *list({ workspace, status, from, expected }: FlowPageQuery): AsyncGenerator<FlowRecord> {
      const ascending = from?.towards === 'newer';
      const { pk, sk } = keys.flow(workspace, from?.flow ?? lastId);
      const items = queryItems(table, {
        ConsistentRead: true,
        ScanIndexForward: ascending,
        ...(expected && { Limit: from ? expected + 1 : expected }),
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
        ...withStatus(status, {
          ':pk': pk,
          ':low': ascending ? sk : prefixes.flow,
          ':high': ascending ? keys.flow(workspace, lastId).sk : sk,
        }),
      });
      for await (const item of items) {
        const flow = required(fromItem<FlowRecord>(item));
        // BETWEEN includes its bounds; the Flow that a page starts from is on the page before.
        if (flow.id !== from?.flow) yield flow;
      }
    },

    /** Flows of a workspace called `name` whose creation is not known to have ended, as far as the index knows. */
    async findPendingCreates(workspace: string, name: string): Promise<FlowRecord[]> {
      const { gsi2pk } = indexKeys.flowBeingCreated(workspace, lastId);
      const created = await getRecords<FlowRecord>(table, queryIndex(table, 'gsi2', gsi2pk));
      return created.filter((flow) => flow.pending?.change === 'create' && flow.name === name);
    },

    /**
     * Follows what the upstream says of a Flow's status, unless something later was heard of it. `at` is the event's
     * time, for events come repeated and out of order. It tells seconds only; but nothing comes after `DEPRECATED`.
     */
    async followUpstreamStatus(waId: string, status: FlowStatus, at: number): Promise<void> {
      for await (const { pk, sk } of queryIndex(table, 'gsi2', indexKeys.upstreamFlow(waId).gsi2pk)) {
        const update = assign({ status, status_heard_at: at });
        const follow = new UpdateCommand({
          TableName,
          Key: { pk, sk },
          ...update,
          ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':final': 'DEPRECATED' },
          ConditionExpression:
            'attribute_exists(pk) AND #status <> :final AND (attribute_not_exists(status_heard_at) OR status_heard_at <= :status_heard_at)',
        });
        await unlessUnmet<unknown>(client.send(follow), () => undefined);
      }
    },

    /** Whether the upstream's Flow belongs to another Flow of ours than this one. */
    async isTaken(waId: string, flow: string): Promise<boolean> {
      const claim = await getRecord<{ flow: string }>(table, keys.upstreamFlow(waId));
      return claim !== undefined && claim.flow !== flow;
    },
  };
}

/** The part of a query that filters; a change that is not settled may still move the status. */
function withStatus(status: FlowStatus | undefined, values: Record<string, unknown>) {
  if (status === undefined) return { ExpressionAttributeValues: values };
  return {
    FilterExpression: '#status = :status OR attribute_exists(pending)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ...values, ':status': status },
  };
}

/** Sorts after every UUID. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function held(attributes: Record<string, unknown> | undefined): HeldFlow {
  return required(fromItem<HeldFlow>(attributes));
}

function required<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('DynamoDB returned no item');
  return record;
}

/** Nobody may change the Flow before its holder is done or its lease has run out. */
export function flowBusy(flow: FlowRecord, now: number): ServiceError {
  const left = flow.lease ? flow.lease.until - now : 0;
  return new ServiceError('flow.busy', { retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)) });
}
