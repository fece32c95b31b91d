import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedMap } from '#shared/base/cache.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import type { FlowStatus } from '#shared/domain/flows/catalogue.ts';
import {
  type ChangeIntent,
  type FlowRecord,
  isLive,
  isOutdatedReading,
  type LiveFlow,
  type PendingChange,
} from '#shared/domain/flows/flow.ts';
import type { FlowChanges, FlowPageQuery, FlowStore, LeasedFlow } from '#shared/domain/flows/flow-store.ts';
import { flowBusy } from '#shared/domain/flows/lease.ts';
import { leaseFor } from '#shared/domain/lease.ts';
import { assign } from '../table/assign.ts';
import type { Key } from '../table/batch-get.ts';
import { unlessCanceled, unlessUnmet } from '../table/condition.ts';
import { fromItem, getRecord, getRecords, required } from '../table/item.ts';
import { indexKeys, keys, lastId, prefixes } from '../table/keys.ts';
import { claimedBy, heldBy } from '../table/lease.ts';
import { queryIndex, queryItems } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type Condition, onCondition } from '../table/transition.ts';
import { entryWrites, listByStatus } from './flows-by-status.ts';

/** How often a save is tried while reports of the upstream keep changing the status. */
const maxSaves = 5;

/** The number of Flows whose workspace a process remembers. */
const rememberedPlaces = 10_000;

/**
 * Stores Flows, and lists them newest first by their UUIDv7 ids. Every write after the first requires a lease: a claim
 * records who changes the Flow and the intent, and only that holder can save, remove, release or suspend the Flow.
 */
export function flowStore(table: Table): FlowStore {
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

  async function* listAll({ workspace, from, expected }: FlowPageQuery): AsyncGenerator<FlowRecord> {
    const ascending = from?.towards === 'newer';
    const { pk, sk } = keys.flow(workspace, from?.flow ?? lastId);
    const items = queryItems(table, {
      ConsistentRead: true,
      ScanIndexForward: ascending,
      ...(expected && { Limit: from ? expected + 1 : expected }),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: {
        ':pk': pk,
        ':low': ascending ? sk : prefixes.flow,
        ':high': ascending ? keys.flow(workspace, lastId).sk : sk,
      },
    });
    for await (const item of items) {
      const flow = required(fromItem<FlowRecord>(item));
      // BETWEEN includes its bounds, but the Flow at which a page starts belongs to the previous page.
      if (flow.id !== from?.flow) yield flow;
    }
  }

  return {
    async insert(flow: LeasedFlow): Promise<void> {
      const Item = {
        ...keys.flow(flow.workspace, flow.id),
        ...indexKeys.flow(flow.id),
        ...indexKeys.changingFlow(flow.workspace, flow.id),
        ...flow,
      };
      await client.send(new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }));
    },

    async claim(flow: FlowRecord, holder: string, intent: ChangeIntent | undefined, now: number): Promise<LeasedFlow> {
      const pending: PendingChange | undefined = intent && { lease: holder, started_at: now, ...intent };
      const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = claimedBy(holder, now);
      const claim = new UpdateCommand({
        ...target(flow),
        UpdateExpression: `SET lease = :lease${pending ? `, pending = if_not_exists(pending, :pending), ${setChanging}` : ''}`,
        ConditionExpression: `attribute_exists(pk) AND ${ConditionExpression}`,
        ExpressionAttributeNames,
        ExpressionAttributeValues: {
          ...ExpressionAttributeValues,
          ':lease': leaseFor(holder, now),
          ...(pending && { ':pending': pending, ...changing(flow) }),
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const claimed = client.send(claim).then(({ Attributes }) => toLeasedFlow(Attributes));
      return unlessUnmet(claimed, ({ item }) => {
        throw item ? flowBusy(required(fromItem<FlowRecord>(item)), now) : new ServiceError('flow.not-found');
      });
    },

    async intend(flow: LeasedFlow, intent: ChangeIntent, now: number): Promise<LeasedFlow> {
      const pending: PendingChange = { lease: flow.lease.holder, started_at: now, ...intent };
      const { ConditionExpression, ExpressionAttributeValues } = heldBy(flow.lease.holder);
      const { Attributes } = await client.send(
        new UpdateCommand({
          ...target(flow),
          UpdateExpression: `SET pending = :pending, ${setChanging}`,
          ConditionExpression,
          ExpressionAttributeValues: { ...ExpressionAttributeValues, ':pending': pending, ...changing(flow) },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return toLeasedFlow(Attributes);
    },

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

    async release(flow: FlowRecord, holder: string): Promise<void> {
      await client.send(
        new UpdateCommand({
          ...target(flow),
          UpdateExpression: `REMOVE ${recordOfChange.join(', ')}, lease`,
          ...heldBy(holder),
        }),
      );
    },

    async suspend(flow: LeasedFlow): Promise<void> {
      await client.send(
        new UpdateCommand({ ...target(flow), UpdateExpression: 'REMOVE lease', ...heldBy(flow.lease.holder) }),
      );
    },

    get: (workspace: string, flow: string) => getRecord<FlowRecord>(table, keys.flow(workspace, flow)),

    async find(flow: string): Promise<FlowRecord | undefined> {
      const key = places.get(flow) ?? (await findPlace(flow));
      return key && getRecord<FlowRecord>(table, key);
    },

    list(query: FlowPageQuery): AsyncGenerator<FlowRecord> {
      const { status } = query;
      return status === undefined ? listAll(query) : listByStatus(table, { ...query, status });
    },

    async findPendingCreates(workspace: string, name: string): Promise<FlowRecord[]> {
      const { gsi2pk } = indexKeys.changingFlow(workspace, lastId);
      const changing = await getRecords<FlowRecord>(table, queryIndex(table, 'gsi2', gsi2pk));
      return changing.filter((flow) => flow.pending?.change === 'create' && flow.name === name);
    },

    async findByUpstreamId(waId: string): Promise<LiveFlow | undefined> {
      const claim = await getRecord<{ workspace: string; flow: string }>(table, keys.upstreamFlow(waId));
      const flow = claim && (await getRecord<FlowRecord>(table, keys.flow(claim.workspace, claim.flow)));
      return flow && isLive(flow) && flow.wa_id === waId ? flow : undefined;
    },

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

/** The attributes of a Flow with a change on record. */
const recordOfChange = ['pending', 'gsi2pk', 'gsi2sk'];

/** Part of an update expression that records a change; `changing` has its values. */
const setChanging = 'gsi2pk = :gsi2pk, gsi2sk = :gsi2sk';

function changing({ workspace, id }: FlowRecord) {
  const { gsi2pk, gsi2sk } = indexKeys.changingFlow(workspace, id);
  return { ':gsi2pk': gsi2pk, ':gsi2sk': gsi2sk };
}

function toLeasedFlow(attributes: Record<string, unknown> | undefined): LeasedFlow {
  return required(fromItem<LeasedFlow>(attributes));
}
