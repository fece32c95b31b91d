import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import type { FlowPageQuery } from '#shared/domain/flows/flow-store.ts';
import { startTestTable, type TestTable } from '#test/support/dynamodb.ts';
import { draft } from '#test/support/fake-flow-context.ts';
import { loadItems, tableCosts } from '#test/support/table-cost.ts';
import { flowStore } from './flows.ts';
import { indexKeys, keys } from './keys.ts';

let dynamodb: TestTable;
let costOf: ReturnType<typeof tableCosts>;

beforeAll(async () => {
  dynamodb = await startTestTable();
  costOf = tableCosts(dynamodb.table);
});
afterAll(() => dynamodb.close());

describe('a page of Flows', () => {
  const [small, large] = [newId(), newId()];
  beforeAll(async () => {
    await loadItems(dynamodb.table, flowItems(small, 100));
    await loadItems(dynamodb.table, flowItems(large, 5_000));
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
  ])('%s costs the same among 100 and among 5,000', async (_, limit, query, calls) => {
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

async function take<T>(values: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const value of values) {
    taken.push(value);
    if (taken.length === count) break;
  }
  return taken;
}
