/** The names of the partition keys by `table` or `table/index`. */
export type PartitionKeys = ReadonlyMap<string, string>;

type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The members of a DynamoDB operation's input that say what it touches. */
export interface Call {
  TableName?: string;
  IndexName?: string;
  Key?: Attributes;
  Item?: Attributes;
  ExclusiveStartKey?: Attributes;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Attributes;
  RequestItems?: Readonly<Record<string, BatchRequest>>;
  TransactItems?: readonly Readonly<Record<string, Call>>[];
}

type BatchRequest =
  | { Keys: readonly Attributes[] }
  | readonly { PutRequest?: { Item: Attributes }; DeleteRequest?: { Key: Attributes } }[];

/** A call names a table or an index that the template does not have. */
export class UnknownTableError extends Error {}

interface CallAccess {
  /** Without the service, for example `GetItem`. */
  action: string;
  table: string;
  index?: string | undefined;
  /**
   * The partition key values in the call (IAM's `dynamodb:LeadingKeys`). Where AWS does not say which of several values
   * it compares, all of them: a role that permits these works on AWS whatever is compared there.
   */
  leadingKeys: string[];
}

/** IAM's actions for the items of a transaction. */
const itemActions: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/**
 * What a call does to which tables. A transaction counts item by item, and each of its actions must be permitted for the
 * keys of all its items.
 */
export function callAccesses(operation: string, call: Call, keys: PartitionKeys): CallAccess[] {
  const single = call.TableName === undefined ? [] : [accessOf(operation, call, keys)];
  if (!(call.TransactItems || call.RequestItems)) return single;
  const transacted = (call.TransactItems ?? []).flatMap((item) =>
    Object.entries(item).map(([kind, each]) => accessOf(itemActions[kind] ?? kind, each, keys)),
  );
  const batched = Object.entries(call.RequestItems ?? {}).map(([table, request]) => {
    const name = partitionKeyName(keys, table);
    return { action: operation, table, leadingKeys: itemsOf(request).map((item) => text(item[name])) };
  });
  return [...withAllKeys(transacted), ...batched, ...single];
}

function withAllKeys(accesses: readonly CallAccess[]): CallAccess[] {
  const keysOf = (wanted: string) =>
    accesses.flatMap(({ table, leadingKeys }) => (table === wanted ? leadingKeys : []));
  return accesses.map((access) => ({ ...access, leadingKeys: [...new Set(keysOf(access.table))] }));
}

function accessOf(action: string, call: Call, keys: PartitionKeys): CallAccess {
  const { TableName: table = '', IndexName: index, ExclusiveStartKey: start } = call;
  const name = partitionKeyName(keys, index === undefined ? table : `${table}/${index}`);
  const item = action === 'PutItem' ? call.Item : call.Key;
  if (item) return { action, table, index, leadingKeys: [text(item[name])] };
  // A query of an index that continues names the partition in the table, too.
  const found = index === undefined ? undefined : start?.[partitionKeyName(keys, table)];
  return { action, table, index, leadingKeys: [...queriedKeys(call, name), ...(found ? [text(found)] : [])] };
}

function itemsOf(request: BatchRequest): readonly Attributes[] {
  if ('Keys' in request) return request.Keys;
  return request.map(({ PutRequest, DeleteRequest }): Attributes => PutRequest?.Item ?? DeleteRequest?.Key ?? {});
}

const equality = /(#?\w+)\s*=\s*(:\w+)/g;

/** The partition that a query reads. A scan has none. */
function queriedKeys(call: Call, name: string): string[] {
  const { KeyConditionExpression = '', ExpressionAttributeNames: names, ExpressionAttributeValues: values } = call;
  return [...KeyConditionExpression.matchAll(equality)]
    .filter(([, key = '']) => (names?.[key] ?? key) === name)
    .map(([, , placeholder = '']) => text(values?.[placeholder]));
}

function partitionKeyName(keys: PartitionKeys, tableOrIndex: string): string {
  const name = keys.get(tableOrIndex);
  if (name === undefined) throw new UnknownTableError(`Requested resource not found: ${tableOrIndex}`);
  return name;
}

/** DynamoDB writes a value with its type, `{"S": "…"}`. */
function text(value: Readonly<Record<string, unknown>> | undefined): string {
  return String(Object.values(value ?? {})[0]);
}
