import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { indexKeys, keys, lastId, prefixes } from '#shared/aws/keys.ts';
import { mergePages, queryPages } from '#shared/aws/pages.ts';
import { evenBatches, fromItem, queryItems, readRecords, required, type Table } from '#shared/aws/table.ts';
import { type FlowStatus, flowStatuses } from './catalogue.ts';
import type { FlowRecord } from './flow.ts';

/** Where a page of the list begins, and its direction. */
export interface FlowPageQuery {
  workspace: string;
  status?: FlowStatus | undefined;
  /** Only Flows on this side of the Flow with this id. */
  from?: { flow: string; towards: 'older' | 'newer' } | undefined;
  /** How many Flows the caller will probably need; the first read fetches no more. */
  expected?: number | undefined;
}

/** Lists the Flows of a workspace from a position on, newest first by their UUIDv7 ids. */
export function listFlows(table: Table, query: FlowPageQuery): AsyncGenerator<FlowRecord> {
  const { status } = query;
  return status === undefined ? listAll(table, query) : listByStatus(table, { ...query, status });
}

async function* listAll(table: Table, { workspace, from, expected }: FlowPageQuery): AsyncGenerator<FlowRecord> {
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

/** How many Flows are read at once if the query does not say how many it expects. */
const usuallyExpected = 100;

/**
 * Lists the Flows of one status, and those with a change on record, whose status is uncertain. The latter come from an
 * index that may lag behind, but a change is abandoned only some time after it was recorded.
 */
async function* listByStatus(
  table: Table,
  { workspace, status, from, expected = usuallyExpected }: FlowPageQuery & { status: FlowStatus },
): AsyncGenerator<FlowRecord> {
  const { atOnce, all } = evenBatches(expected);
  const toKeys = (items: readonly Record<string, unknown>[]) =>
    items.map(({ sk }) => ({ ...keys.workspace(workspace), sk: String(sk) }));
  const ascending = from?.towards === 'newer';
  const flowKey = from && keys.flow(workspace, from.flow).sk;
  const beyond = (pk: string, sk: string, partition: string) => ({
    ScanIndexForward: ascending,
    KeyConditionExpression: `${pk} = :pk${flowKey ? ` AND ${sk} ${ascending ? '>' : '<'} :from` : ''}`,
    ExpressionAttributeValues: { ':pk': partition, ...(flowKey && { ':from': flowKey }) },
  });
  const ofStatus = { ConsistentRead: true, ...beyond('pk', 'sk', keys.flowOfStatus(workspace, status, 'any').pk) };
  const { gsi2pk } = indexKeys.changingFlow(workspace, 'any');
  const changing = { IndexName: 'gsi2', ...beyond('gsi2pk', 'gsi2sk', gsi2pk) };

  const merged = mergePages(
    [ofStatus, changing].map((query) => queryPages(table, query, all, toKeys)),
    (one, other) => one.sk < other.sk === ascending,
  );
  for await (const flow of readRecords<FlowRecord>(table, unique(merged), { atOnce })) {
    if (flow.status === status || flow.pending) yield flow;
  }
}

/** Leaves out a key that equals the one before it: a Flow of the status may have a change on record. */
async function* unique<Key extends { sk: string }>(sorted: AsyncIterable<Key>): AsyncGenerator<Key> {
  let last: string | undefined;
  for await (const key of sorted) {
    if (key.sk !== last) yield key;
    last = key.sk;
  }
}

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const statuses = Object.keys(flowStatuses) as FlowStatus[];

/**
 * The writes that leave a Flow with an entry for this status and for no other, or with none. A transaction makes them
 * together with the change of the Flow, so that a caller who changed the status finds the Flow in that list.
 */
export function entryWrites(
  TableName: string,
  { workspace, id }: Pick<FlowRecord, 'workspace' | 'id'>,
  status?: FlowStatus,
): Write[] {
  return statuses.map((each) => {
    const Key = keys.flowOfStatus(workspace, each, id);
    return each === status ? { Put: { TableName, Item: Key } } : { Delete: { TableName, Key } };
  });
}
