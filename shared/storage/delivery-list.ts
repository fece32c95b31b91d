import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Delivery, DeliveryState } from '../deliveries/delivery.ts';
import type { Target } from '../numbers/number.ts';
import { fromItem } from './item.ts';
import { deliveryPartition, deliveryShards, keys } from './keys.ts';
import type { Table } from './table.ts';

export interface DeliveryQuery {
  number: string;
  order: 'newest-first' | 'oldest-first';
  /** Goes on behind the delivery with this id, which need not exist. */
  after?: string | undefined;
  filter: DeliveryFilter;
}

/** Which deliveries are wanted; times are epoch milliseconds of their creation, both included. */
export interface DeliveryFilter {
  since: number;
  until?: number | undefined;
  state?: DeliveryState | undefined;
  target?: Target | undefined;
}

/** How far a search has come: with a delivery, or without one where many were passed over that are not wanted. */
export interface SearchStep {
  id: string;
  delivery?: Delivery;
}

/** Read at once of a partition, as long as what is there is wanted; else as much as DynamoDB gives. */
const itemsPerRead = 20;

/** Later than any delivery is created. */
const endOfTime = Date.UTC(9999, 0);

/** The event's time, with which an id begins, may be a day ahead of its delivery's creation (see `eventTime`). */
const aheadMs = 86_400_000;

/** Searches the partitions of a number's deliveries side by side and merges what they hold, by id. */
export async function* searchDeliveries(table: Table, query: DeliveryQuery): AsyncGenerator<SearchStep> {
  const { number, order, after, filter } = query;
  const { low, high } = idRange(query);
  // DynamoDB refuses a range that ends before it begins.
  if (low > high || filter.since > (filter.until ?? endOfTime)) return;
  const partitions = Array.from({ length: deliveryShards }, (_, shard) =>
    searchPartition(table, {
      ConsistentRead: true,
      ScanIndexForward: order === 'oldest-first',
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ...filterExpression(filter, {
        ':pk': deliveryPartition(number, shard),
        ':low': keys.delivery(number, low).sk,
        ':high': keys.delivery(number, high).sk,
      }),
    }),
  );
  for await (const step of merge(partitions, order)) {
    // BETWEEN includes its bounds.
    if (step.id !== after) yield step;
  }
}

/** How long after an event the upstream may still bring it: it repeats for up to seven days. */
const lateMs = 8 * 86_400_000;

function idRange({ order, after, filter }: DeliveryQuery): { low: string; high: string } {
  const highest = lastIdAt(Math.max(0, (filter.until ?? endOfTime) + aheadMs));
  const lowest = lastIdAt(Math.max(0, filter.since - lateMs));
  if (after === undefined) return { low: lowest, high: highest };
  if (order === 'oldest-first') return { low: after > lowest ? after : lowest, high: highest };
  return { low: lowest, high: after < highest ? after : highest };
}

/** The highest id that an event of this time can have. */
function lastIdAt(timestampMs: number): string {
  const time = timestampMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-ffff-ffff-ffffffffffff`;
}

function filterExpression(
  { since, until = endOfTime, state, target }: DeliveryFilter,
  values: Record<string, unknown>,
) {
  const conditions = ['created_at BETWEEN :since AND :until'];
  if (state) conditions.push('#state = :state');
  if (target) conditions.push('target = :target');
  return {
    FilterExpression: conditions.join(' AND '),
    ...(state && { ExpressionAttributeNames: { '#state': 'state' } }),
    ExpressionAttributeValues: {
      ...values,
      ':since': since,
      ':until': until,
      ...(state && { ':state': state }),
      ...(target && { ':target': target }),
    },
  };
}

async function* searchPartition(
  table: Table,
  query: Omit<QueryCommandInput, 'TableName'>,
): AsyncGenerator<SearchStep, undefined> {
  let page: Pick<QueryCommandInput, 'ExclusiveStartKey' | 'Limit'> | undefined = { Limit: itemsPerRead };
  while (page) {
    const read: QueryCommandOutput = await table.client.send(
      new QueryCommand({ TableName: table.name, ...query, ...page }),
    );
    const found = (read.Items ?? []).map((item) => fromItem<Delivery>(item));
    for (const delivery of found) if (delivery) yield { id: delivery.id, delivery };
    const end = read.LastEvaluatedKey;
    if (end) yield { id: String(end.sk).replace(/^.*#/, '') };
    page = end && { ExclusiveStartKey: end, ...(found.length > 0 && { Limit: itemsPerRead }) };
  }
}

interface Stream {
  first: SearchStep;
  rest: AsyncGenerator<SearchStep, undefined>;
}

/** Merges sorted streams, reading each no further than needed. */
async function* merge(
  unread: readonly Stream['rest'][],
  order: DeliveryQuery['order'],
): AsyncGenerator<SearchStep, undefined> {
  const comesFirst = (a: Stream, b: Stream) => a.first.id < b.first.id === (order === 'oldest-first');
  const streams = (await Promise.all(unread.map(readFirst))).filter((stream) => stream !== undefined);
  while (streams.length > 0) {
    const stream = streams.reduce((best, other) => (comesFirst(other, best) ? other : best));
    yield stream.first;
    const next = await readFirst(stream.rest);
    streams.splice(streams.indexOf(stream), 1, ...(next ? [next] : []));
  }
}

async function readFirst(rest: Stream['rest']): Promise<Stream | undefined> {
  const { value: first } = await rest.next();
  return first && { first, rest };
}
