import { beforeAll, describe, expect, it } from 'vitest';
import { membershipStore } from '#shared/accounts/membership-store.ts';
import { newId } from '#shared/base/ids.ts';
import { hourMs } from '#shared/base/time.ts';
import { type Delivery, deliveryId } from '#shared/delivery/delivery.ts';
import type { DeliveryQuery, SearchStep } from '#shared/delivery/delivery-list-store.ts';
import { deliveryItem, deliveryStore } from '#shared/delivery/delivery-store.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import type { FlowPageQuery } from '#shared/flows/flow-list-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { builtInTargets as targets } from '#shared/webhooks/subscriber.ts';
import { secretStore } from '#shared/webhooks/subscriber-store.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { loadItems, tableCosts } from '#support/aws/table-cost.ts';
import { draft } from '#support/fakes/fake-flow-context.ts';
import { forAllTests } from '#support/for-tests.ts';
import { indexKeys, keys } from './keys.ts';

let costOf: ReturnType<typeof tableCosts>;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  costOf = tableCosts(dynamodb.table);
});

describe('a page of Flows', () => {
  const [small, large] = [newId(), newId()];
  beforeAll(async () => {
    await loadItems(dynamodb.table, flowItems(small, 100));
    await loadItems(dynamodb.table, flowItems(large, 600));
  });

  /** Flows of which the oldest fifty are published. */
  function* flowItems(workspace: string, count: number) {
    for (let index = 0; index < count; index++) {
      const id = newId();
      const flow: FlowRecord = { ...draft, id, workspace, status: index < 50 ? 'PUBLISHED' : 'DRAFT' };
      yield { ...keys.flow(workspace, id), ...indexKeys.flow(id), ...flow };
      yield keys.flowOfStatus(workspace, flow.status, id);
    }
  }

  /** What it costs to read a page and to see whether there are more. */
  const pageCost = (workspace: string, limit: number, query: Partial<FlowPageQuery>) =>
    costOf(async () => {
      const found = flowStore(dynamodb.table).list({ workspace, expected: limit + 1, ...query });
      expect((await take(found, limit + 1)).length).toBe(query.status === 'BLOCKED' ? 0 : limit + 1);
    });

  it.each<[string, number, Partial<FlowPageQuery>, string[]]>([
    ['of any status', 20, {}, ['Query']],
    ['of a frequent status', 20, { status: 'DRAFT' }, ['BatchGetItem', 'Query', 'Query']],
    ['of a status that only old Flows have', 20, { status: 'PUBLISHED' }, ['BatchGetItem', 'Query', 'Query']],
    ['of a status that no Flow has', 20, { status: 'BLOCKED' }, ['Query', 'Query']],
  ])('%s costs the same among 100 and among 600', async (_, limit, query, calls) => {
    const [few, many] = [await pageCost(small, limit, query), await pageCost(large, limit, query)];
    expect(few.calls).toEqual(calls);
    expect(many).toEqual(few);
    expect(many.units).toBeLessThanOrEqual(limit + 5);
  });

  it('of a hundred Flows of one status reads no more than it shows', async () => {
    const cost = await pageCost(large, 100, { status: 'DRAFT' });
    expect(cost.calls).toEqual(['BatchGetItem', 'BatchGetItem', 'Query', 'Query']);
    expect(cost.units).toBeLessThan(110);
  });
});

describe('a search for deliveries', () => {
  const [small, large] = [newId(), newId()];
  const begin = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    await loadItems(dynamodb.table, deliveryItems(small, 400));
    await loadItems(dynamodb.table, deliveryItems(large, 1_600));
  });

  /** Deliveries at intervals of an hour. Only the oldest 150 were not delivered, and only the oldest 20 are calls. */
  function* deliveryItems(subscriber: string, count: number) {
    const states = ['waiting', 'held', 'exhausted', 'discarded'] as const;
    for (let index = 0; index < count; index++) {
      const created_at = begin + index * hourMs;
      // Both subscribers have the same ids, so that their deliveries are in the same partitions.
      const id = deliveryId({ subscriber: 'any', target: 'any', key: String(index), timestampMs: created_at });
      const state = index < 150 ? (states[index % states.length] ?? 'held') : 'delivered';
      yield deliveryItem({
        ...{
          id,
          subscriber,
          target: index < 20 ? 'calls_webhook' : 'webhook',
          kind: 'message',
          payload: { text: '{}' },
          state,
          created_at,
        },
        ...{ attempt_count: 1, attempts: [], replays: [] },
      });
    }
  }

  const searchCost = (subscriber: string, count: number, query: Partial<DeliveryQuery>, found = count) =>
    costOf(async () => {
      const search = deliveryStore(dynamodb.table).search({
        ...{ subscriber, targets, order: 'newest-first', wanted: count, filter: { since: begin } },
        ...query,
      });
      expect(await take(deliveriesOf(search), count)).toHaveLength(found);
    });

  it.each<[string, number, Partial<DeliveryQuery>]>([
    ['without a filter', 20, {}],
    ['of the oldest', 20, { order: 'oldest-first' }],
    ['from a time on', 20, { filter: { since: begin + 380 * hourMs } }],
    ['until a time', 20, { filter: { since: begin, until: begin + 200 * hourMs } }],
    ['of one target', 20, { targets: ['webhook'] }],
    ['of a target that few are for', 20, { targets: ['calls_webhook'] }],
    ...(['waiting', 'held', 'exhausted', 'discarded'] as const).flatMap(
      (state): [string, number, Partial<DeliveryQuery>][] => [
        [`that are ${state}`, 20, { filter: { since: begin, state } }],
        [`to one target that are ${state}`, 20, { filter: { since: begin, state }, targets: ['webhook'] }],
      ],
    ),
  ])('%s costs the same among 400 and among 1,600', async (_, count, query) => {
    const [few, many] = [await searchCost(small, count, query), await searchCost(large, count, query)];
    expect(many.calls.length).toBeLessThanOrEqual(few.calls.length * 1.1);
    expect(many.units).toBeLessThanOrEqual(few.units * 1.1);
  });

  it('for a replay costs the same however many other deliveries there are', async () => {
    const query = { order: 'oldest-first', wanted: 1_000, filter: { since: begin, state: 'exhausted' } } as const;
    const [few, many] = [await searchCost(small, 1_000, query, 37), await searchCost(large, 1_000, query, 37)];
    expect(many).toEqual(few);
    expect(many.calls.filter((call) => call === 'BatchGetItem')).toHaveLength(1);
  });
});

it('the numbers that sign for a workspace cost the same among 25 and among 200', async () => {
  const [small, large] = [newId(), newId()];
  function* numberItems(workspace: string, count: number) {
    for (let index = 0; index < count; index++) {
      const id = newId();
      const number = { id, workspace, phone_number_id: id, display_phone_number: '+1', active: true };
      yield { ...keys.number(id), ...indexKeys.numberOfWorkspace(workspace, id), ...number };
      yield { ...keys.secrets(id), current: 'whsec_x' };
    }
  }
  await loadItems(dynamodb.table, numberItems(small, 25));
  await loadItems(dynamodb.table, numberItems(large, 200));
  const cost = (workspace: string) =>
    costOf(async () => {
      expect(await take(secretStore(dynamodb.table).listByWorkspace(workspace), 20)).toHaveLength(20);
    });
  const few = await cost(small);
  expect(few.calls).toEqual(['BatchGetItem', 'Query']);
  expect(await cost(large)).toEqual(few);
});

describe('what a user may see', () => {
  const [few, many] = [newId(), newId()];
  beforeAll(async () => {
    await loadItems(dynamodb.table, accountItems(few, 30, 5));
    await loadItems(dynamodb.table, accountItems(many, 90, 20));
  });

  /** Workspaces with numbers; the user is a member of the first three. */
  function* accountItems(user: string, workspaces: number, numbers: number) {
    const ids = Array.from({ length: workspaces }, newId);
    for (const [index, workspace] of ids.entries()) {
      const member = index < 3 ? user : newId();
      yield { ...keys.workspace(workspace), id: workspace };
      yield { ...keys.member(workspace, member), ...indexKeys.membershipOfUser(member, workspace), workspace };
    }
    for (let index = 0; index < numbers * workspaces; index++) {
      const [id, workspace] = [newId(), String(ids[index % workspaces])];
      yield { ...keys.number(id), ...indexKeys.numberOfWorkspace(workspace, id), id, workspace, active: true };
    }
  }

  const cost = (user: string) =>
    costOf(async () => {
      const { listWorkspaces, listNumbers } = membershipStore(dynamodb.table);
      expect(await take(listWorkspaces({ user, from: undefined, wanted: 3 }), 3)).toHaveLength(3);
      const numbers = listNumbers({ user, workspace: undefined, from: undefined, wanted: 10 });
      expect(await take(numbers, 11)).toHaveLength(11);
    });

  it('costs the same among 30 workspaces with 5 numbers each and among 90 with 20', async () => {
    const [low, high] = [await cost(few), await cost(many)];
    expect(low.calls).toEqual([
      'BatchGetItem',
      'BatchGetItem',
      'BatchGetItem',
      'Query',
      'Query',
      'Query',
      'Query',
      'Query',
    ]);
    expect(high.calls).toEqual(low.calls);
    expect(high.units).toBeLessThanOrEqual(low.units * 1.1);
  });
});

async function* deliveriesOf(search: AsyncIterable<SearchStep>): AsyncGenerator<Delivery> {
  for await (const { delivery } of search) if (delivery) yield delivery;
}

async function take<T>(values: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const value of values) {
    taken.push(value);
    if (taken.length === count) break;
  }
  return taken;
}
