import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { groupsOf } from '#shared/base/concurrency.ts';
import { type Connection, clientConfig } from './connection.ts';
import { canceledFor } from './failures.ts';

/** Sends commands to DynamoDB, with plain values instead of attribute values. */
export type TableClient = Pick<DynamoDBDocumentClient, 'send' | 'destroy'>;

/** The single table, and the client that accesses it. */
export interface Table {
  client: TableClient;
  name: string;
}

/** Milliseconds for one attempt of a call. */
export const attemptMs = 2_000;

/** Opens the table `name`. Three attempts stay below every function's timeout. */
export function openTable(name: string, connection: Connection): Table {
  const client = new DynamoDBClient({
    ...clientConfig(connection, attemptMs),
    // The document client adds middleware to each command and rejects a client that keeps them.
    cacheMiddleware: false,
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw markTransient(error);
      }
    },
    { name: 'markTransient', step: 'finalizeRequest', priority: 'low' },
  );
  return {
    name,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
}

/** Reasons of a cancellation that the same transaction does not meet again a moment later. */
const throttlingCodes = ['ThrottlingError', 'ProvisionedThroughputExceeded'];
const transientCodes = ['None', 'TransactionConflict', ...throttlingCodes];

/** Lets the SDK repeat what conflicted with another transaction, and transactions that were throttled. */
function markTransient(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const codes = error.name === 'TransactionConflictException' ? ['TransactionConflict'] : canceledFor(error);
  const isTransient = codes.length > 0 && codes.every((code) => transientCodes.includes(code));
  if (!isTransient) return error;
  return Object.assign(error, { $retryable: { throttling: codes.some((code) => throttlingCodes.includes(code)) } });
}

/**
 * DynamoDB's errors for requests beyond the limits of a partition, the table or the account, and for a write of an item
 * that a transaction is changing.
 */
const transientErrors: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionConflictException',
]);

/**
 * Whether DynamoDB rejected a request only because of other requests, so that it will take the same one some seconds
 * later. The client's own retries have failed by then.
 */
export function isTransient(error: unknown): error is Error {
  return error instanceof Error && transientErrors.has(error.name);
}

export interface Key {
  pk: string;
  sk: string;
}

/** The maximum number of keys in one `BatchGetItem`. */
export const maxKeys = 100;

/**
 * Reads the items under up to a hundred keys, consistently and in no particular order. Requests again the keys that
 * DynamoDB leaves unprocessed when it throttles and beyond 16 MB.
 */
export async function batchGet(table: Table, wanted: readonly Key[]): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let keysLeft: Record<string, unknown>[] = wanted.map((key) => ({ ...key }));
  for (let idle = 0; keysLeft.length > 0; ) {
    if (idle === 5) throw new Error('DynamoDB kept leaving keys unprocessed');
    if (idle > 0) await delay(2 ** idle * 20);
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: keysLeft, ConsistentRead: true } } }),
    );
    const found = Responses?.[table.name] ?? [];
    items.push(...found);
    keysLeft = UnprocessedKeys?.[table.name]?.Keys ?? [];
    idle = found.length > 0 ? 0 : idle + 1;
  }
  return items;
}

/** An item as it is stored, with its key. */
export type StoredItem = Readonly<Record<string, unknown>> & Key;

/** Reads every item of the table, consistently. It costs a read unit for each 4 KB that the table has. */
export async function* scanTable(table: Table): AsyncGenerator<StoredItem> {
  let start: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
    );
    yield* (page.Items ?? []) as StoredItem[];
    start = page.LastEvaluatedKey;
  } while (start);
}

const keyAttributes = new Set(['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk', 'expires_at_seconds']);

/**
 * The record in an item: the item without the attributes that only the table needs. The table contains only what these
 * stores wrote, so the record's type is trusted here, and only here.
 */
export function fromItem<T>(item: Record<string, unknown> | undefined): T | undefined {
  if (item === undefined) return undefined;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !keyAttributes.has(name))) as T;
}

/** The record that a write returned. Throws when it returned none. */
export function required<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('DynamoDB returned no item');
  return record;
}

/** Reads the record under `key` consistently. */
export async function getRecord<T>(table: Table, key: Key): Promise<T | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { pk: key.pk, sk: key.sk }, ConsistentRead: true }),
  );
  return fromItem<T>(Item);
}

/**
 * Reads the records under the keys from an index, consistently and in the order of the keys. Records that were deleted
 * in the meantime are left out. One call reads `atOnce` of them.
 */
export async function* readRecords<T>(
  table: Table,
  found: AsyncIterable<Record<string, unknown>>,
  { atOnce = maxKeys, toRecord = fromItem<T> }: ReadOptions<T> = {},
): AsyncGenerator<T> {
  for await (const group of groupsOf(found, atOnce)) {
    const batch = group.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
    yield* await readBatch(table, batch, toRecord);
  }
}

interface ReadOptions<T> {
  atOnce?: number | undefined;
  toRecord?: (item: Record<string, unknown> | undefined) => T | undefined;
}

/**
 * The size of the batches in which so many records are best read, and of all of them together. A batch has at most a
 * hundred keys: two batches of 51 read 101 records, where a batch of a hundred and the next one would read two hundred.
 */
export function evenBatches(wanted: number): { atOnce: number; all: number } {
  const batches = Math.ceil(wanted / maxKeys);
  const atOnce = Math.ceil(wanted / batches);
  return { atOnce, all: atOnce * batches };
}

async function readBatch<T>(
  table: Table,
  batch: readonly Key[],
  toRecord: Required<ReadOptions<T>>['toRecord'],
): Promise<T[]> {
  // DynamoDB rejects a batch with a key that occurs twice (API reference, "BatchGetItem").
  const distinct = new Map(batch.map((key) => [keyText(key), key]));
  const items = await batchGet(table, [...distinct.values()]);
  const byKey = new Map(items.map((item) => [keyText(item), item]));
  return [...distinct.keys()].flatMap((key) => toRecord(byKey.get(key)) ?? []);
}

const keyText = ({ pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([pk, sk]);

/** Collects all records of `readRecords`. */
export const getRecords = <T>(table: Table, found: AsyncIterable<Record<string, unknown>>): Promise<T[]> =>
  Array.fromAsync(readRecords<T>(table, found));

type Item = Record<string, unknown>;

/**
 * Yields every item of a query, page by page, until the caller stops. `Limit` is the size of the first page. Each
 * further page has four times the size, so that a filter that matches few items costs few calls.
 */
export async function* queryItems(table: Table, query: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<Item> {
  let start: QueryCommandInput['ExclusiveStartKey'];
  let { Limit } = query;
  do {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...query,
        ...(Limit && { Limit }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
    Limit = Limit && Limit * 4;
  } while (start);
}

/** Reads the items of one partition of the table, optionally only those with a sort key prefix, consistently. */
export function queryPartition(table: Table, pk: string, prefix?: string): AsyncGenerator<Item> {
  return queryItems(table, { ConsistentRead: true, ...keyCondition('pk', 'sk', pk, prefix) });
}

/**
 * Reads the keys under one partition of an index, optionally only those with a sort key prefix. `first` is the size of
 * the first page for a caller that may stop early.
 */
export function queryIndex(
  table: Table,
  index: 'gsi1' | 'gsi2',
  pk: string,
  prefix?: string,
  first?: number,
): AsyncGenerator<Item> {
  return queryItems(table, {
    IndexName: index,
    ...(first && { Limit: first }),
    ...keyCondition(`${index}pk`, `${index}sk`, pk, prefix),
  });
}

/** DynamoDB rejects an empty text as the value of a key, so there is no condition on the sort key without a prefix. */
function keyCondition(pkName: string, skName: string, pk: string, prefix: string | undefined) {
  if (prefix === undefined) {
    return { KeyConditionExpression: `${pkName} = :pk`, ExpressionAttributeValues: { ':pk': pk } };
  }
  return {
    KeyConditionExpression: `${pkName} = :pk AND begins_with(${skName}, :prefix)`,
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  };
}
