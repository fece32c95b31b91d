import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
  type ScanCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { clientConfig } from './client-config.ts';
import type { Connection } from './connection.ts';
import { canceledFor, succeeds, unlessCanceled, unlessUnmet } from './update.ts';

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

/**
 * Writes an item that must not exist yet. If an identical item exists, the client has repeated a write whose response
 * was lost, so the write succeeded.
 *
 * @throws Error when another item has the key.
 */
export async function createItem(table: Table, item: Record<string, unknown>): Promise<void> {
  const create = new PutCommand({
    TableName: table.name,
    Item: item,
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  await unlessUnmet<unknown>(table.client.send(create), ({ item: existing }) => {
    if (!isDeepStrictEqual(existing, item)) throw new Error(`There is another item with the key ${item.pk}`);
  });
}

/** Writes items that must not exist yet, all of them or none. Resolves with `false` when one of them exists. */
export function createItems(table: Table, items: readonly Record<string, unknown>[]): Promise<boolean> {
  const TransactItems = items.map((Item) => ({
    Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  }));
  return unlessCanceled(table.client.send(new TransactWriteCommand({ TransactItems })));
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

/** Deletes an item, whatever it is by now. */
export async function deleteItem({ client, name: TableName }: Table, { pk, sk }: Key): Promise<void> {
  await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
}

type ItemUpdate = NonNullable<NonNullable<TransactWriteCommandInput['TransactItems']>[number]['Update']>;

/** More tries than others change one of the items at the very moment of the write. */
const maxTries = 10;

/** Makes all of these updates or none. Resolves with `false` when the condition of one of them does not hold. */
export async function writeTogether({ client }: Table, updates: readonly ItemUpdate[]): Promise<boolean> {
  const [only, ...others] = updates;
  if (only !== undefined && others.length === 0) return succeeds(client.send(new UpdateCommand(only)));
  const TransactItems = updates.map((Update) => ({ Update }));
  for (let tries = 1; ; tries++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems }));
      return true;
    } catch (error) {
      const reasons = canceledFor(error);
      if (reasons.includes('ConditionalCheckFailed')) return false;
      if (tries === maxTries || !reasons.includes('TransactionConflict')) throw error;
    }
  }
}
