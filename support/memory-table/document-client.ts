import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { parsePaths } from '#local/aws/dynamodb/parse-expression.ts';
import type { TableClient } from '#shared/adapters/dynamodb/table/table.ts';
import { validationError } from './errors.ts';
import { cloned, type Item, projected } from './evaluate.ts';
import { aliasesOf, type Expressions, type Key, type MemoryTable, type Write } from './memory-table.ts';
import { type Query, queryPage } from './query.ts';

export interface Paging {
  /** The maximum number of items that a query reads in one call. */
  pageSize: () => number;
  /** The maximum number of keys of a batch that one call processes; at least one. */
  batchSize: () => number;
}

const wholePages: Paging = { pageSize: () => 1_000, batchSize: () => 100 };

export interface Command {
  input: unknown;
}

/**
 * Runs a command of the document client on a table in memory, immediately. Throws the error with which the client would
 * reject.
 */
export function execute(table: MemoryTable, command: Command, paging: Paging = wholePages): object {
  if (command instanceof GetCommand) return get(table, command.input as ReadInput);
  if (command instanceof BatchGetCommand) return batchGet(table, command.input as BatchInput, paging);
  if (command instanceof QueryCommand) return query(table, command.input as Query, paging);
  if (command instanceof PutCommand) return written(table, putOf(command.input as WriteInput), command.input);
  if (command instanceof UpdateCommand)
    return written(table, keyed('update', command.input as WriteInput), command.input);
  if (command instanceof DeleteCommand)
    return written(table, keyed('delete', command.input as WriteInput), command.input);
  if (command instanceof TransactWriteCommand) return transact(table, command.input as TransactInput);
  throw new Error(`The simulated table does not know ${command.constructor.name}`);
}

/** The document client of a table in memory, to test stores. It responds immediately. */
export function memoryClient(table: MemoryTable, paging?: Paging): TableClient {
  const send = async (command: Command) => execute(table, command, paging);
  return { send, destroy: () => undefined } as TableClient;
}

interface ReadInput extends Expressions {
  Key: Item;
  ConsistentRead?: boolean;
}

interface BatchInput {
  RequestItems: Record<string, { Keys: Item[]; ConsistentRead?: boolean }>;
}

interface WriteInput extends Expressions {
  Key?: Item;
  Item?: Item;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
}

interface TransactInput {
  TransactItems: { Put?: WriteInput; Update?: WriteInput; Delete?: WriteInput; ConditionCheck?: WriteInput }[];
}

function keyOf(attributes: Item | undefined): Key {
  const { pk, sk } = attributes ?? {};
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || sk === '') {
    throw validationError('The provided key element does not match the schema');
  }
  return { pk, sk };
}

function get(table: MemoryTable, { Key, ConsistentRead = false, ...input }: ReadInput) {
  const item = table.get(keyOf(Key), ConsistentRead);
  if (!item) return {};
  if (input.ProjectionExpression === undefined) return { Item: cloned(item) };
  return { Item: cloned(projected(item, parsePaths(input.ProjectionExpression), aliasesOf(input))) };
}

function batchGet(table: MemoryTable, { RequestItems }: BatchInput, { batchSize }: Paging) {
  const Responses: Record<string, unknown[]> = {};
  const UnprocessedKeys: BatchInput['RequestItems'] = {};
  for (const [name, { Keys, ConsistentRead = false }] of Object.entries(RequestItems)) {
    const keys = Keys.map(keyOf);
    const names = new Set(keys.map(({ pk, sk }) => `${pk}\n${sk}`));
    if (keys.length > 100 || names.size < keys.length) {
      throw validationError('A batch has at most 100 keys, each once');
    }
    const items = keys.map((key) => table.get(key, ConsistentRead));
    // Each call processes at least one key, because the SDK waits on a real clock before it repeats a batch of which
    // nothing was processed.
    const found = items.findIndex((item) => item !== undefined);
    const processed = found < 0 ? keys.length : Math.max(batchSize(), found + 1);
    Responses[name] = items.slice(0, processed).flatMap((item) => (item ? [cloned(item)] : []));
    if (processed < keys.length) UnprocessedKeys[name] = { Keys: Keys.slice(processed), ConsistentRead };
  }
  return { Responses, UnprocessedKeys };
}

function query(table: MemoryTable, input: Query, { pageSize }: Paging) {
  const { items, lastKey, scanned } = queryPage(table, input, pageSize());
  return {
    Count: items.length,
    ScannedCount: scanned,
    ...(input.Select !== 'COUNT' && { Items: items.map(cloned) }),
    ...(lastKey && { LastEvaluatedKey: cloned(lastKey) }),
  };
}

const putOf = (input: WriteInput): Write => ({ ...input, kind: 'put', key: keyOf(input.Item), item: input.Item });

function keyed(kind: 'update' | 'delete' | 'check', input: WriteInput): Write {
  return { ...input, kind, key: keyOf(input.Key) };
}

function written(table: MemoryTable, write: Write, { ReturnValues }: { ReturnValues?: string | undefined }) {
  const { before, after } = table.write(write);
  const returned = ReturnValues === 'ALL_NEW' ? after : ReturnValues === 'ALL_OLD' ? before : undefined;
  if (ReturnValues?.startsWith('UPDATED')) throw new Error(`The simulated table does not know ${ReturnValues}`);
  return returned ? { Attributes: cloned(returned) } : {};
}

function transact(table: MemoryTable, { TransactItems }: TransactInput) {
  table.transact(
    TransactItems.map(({ Put, Update, Delete, ConditionCheck }) => {
      if (Put) return putOf(Put);
      if (Update) return keyed('update', Update);
      if (Delete) return keyed('delete', Delete);
      return keyed('check', ConditionCheck ?? {});
    }),
  );
  return {};
}
