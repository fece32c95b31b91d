import { type Condition, parseCondition, parsePaths } from '#local/aws/dynamodb/parse-expression.ts';
import { validationError } from './errors.ts';
import { type Aliases, compareTexts, holds, type Item, projected } from './evaluate.ts';
import { aliasesOf, type Expressions, type MemoryTable } from './memory-table.ts';

export interface Query extends Expressions {
  IndexName?: string | undefined;
  ConsistentRead?: boolean | undefined;
  ScanIndexForward?: boolean | undefined;
  Limit?: number | undefined;
  ExclusiveStartKey?: Item | undefined;
  Select?: string | undefined;
}

export interface Page {
  items: Item[];
  lastKey: Item | undefined;
  scanned: number;
}

/** An entry that a query reads: an item, or its part in the index, and the key from which a query can continue. */
interface Candidate {
  position: Item;
  item: Item;
}

/** One page of a query: reads at most `pageSize` items, and returns those that pass the filter. */
export function queryPage(table: MemoryTable, query: Query, pageSize: number): Page {
  const aliases = aliasesOf(query);
  const condition = parseCondition(query.KeyConditionExpression ?? '');
  const wanted = candidates(table, query, condition, aliases);
  const start = query.ExclusiveStartKey;
  const from = start ? wanted.findIndex(({ position }) => isBehind(position, start, query)) : 0;
  const maxItems = Math.min(query.Limit ?? pageSize, pageSize);
  const page = from < 0 ? [] : wanted.slice(from, from + maxItems);
  // DynamoDB does not read beyond the page: if the page is full, it says that there may be more.
  const last = page.length === maxItems ? page.at(-1) : undefined;
  const filter = query.FilterExpression === undefined ? undefined : parseCondition(query.FilterExpression);
  const paths = query.ProjectionExpression === undefined ? undefined : parsePaths(query.ProjectionExpression);
  const items = page
    .filter(({ item }) => filter === undefined || holds(filter, item, aliases))
    .map(({ item }) => (paths ? projected(item, paths, aliases) : item));
  return { items, lastKey: last?.position, scanned: page.length };
}

function candidates(table: MemoryTable, query: Query, condition: Condition, aliases: Aliases): Candidate[] {
  const index = query.IndexName;
  const all = index === undefined ? ofTable(table, query, condition, aliases) : ofIndex(table, index, query, aliases);
  const found = all.filter(({ item }) => holds(condition, item, aliases));
  return query.ScanIndexForward === false ? found.reverse() : found;
}

function ofTable(table: MemoryTable, query: Query, condition: Condition, aliases: Aliases): Candidate[] {
  return table
    .partition(partitionOf(condition, 'pk', aliases), query.ConsistentRead === true)
    .map(({ key, item }) => ({ position: { ...key }, item }));
}

function ofIndex(table: MemoryTable, index: string, query: Query, aliases: Aliases): Candidate[] {
  if (index !== 'gsi1' && index !== 'gsi2') throw validationError(`The table has no index ${index}`);
  if (query.ConsistentRead) throw validationError('Consistent reads are not supported on secondary indexes');
  const condition = parseCondition(query.KeyConditionExpression ?? '');
  return table.indexed(index, partitionOf(condition, `${index}pk`, aliases)).map(({ indexPk, indexSk, pk, sk }) => {
    const item = { pk, sk, [`${index}pk`]: indexPk, [`${index}sk`]: indexSk };
    return { position: item, item };
  });
}

const placeOf = (item: Item, index: string | undefined): string[] =>
  (index === undefined ? [item.sk] : [item[`${index}sk`], item.pk, item.sk]).map(String);

function isBehind(position: Item, start: Item, { IndexName, ScanIndexForward }: Query): boolean {
  const a = placeOf(position, IndexName);
  const b = placeOf(start, IndexName);
  const order = a.reduce((sofar, part, at) => sofar || compareTexts(part, b[at] ?? ''), 0);
  return ScanIndexForward === false ? order < 0 : order > 0;
}

/** The one partition that a key condition names. */
function partitionOf(condition: Condition, attribute: string, aliases: Aliases): string {
  for (const part of conjuncts(condition)) {
    if (part.is !== 'compare' || part.operator !== '=' || part.left.is !== 'path' || part.right.is !== 'value')
      continue;
    const [name] = part.left.path.map((step) => aliases.names[step] ?? step);
    if (name === attribute) return String(aliases.values[part.right.name]);
  }
  throw validationError(`Query condition missed key schema element: ${attribute}`);
}

function conjuncts(condition: Condition): Condition[] {
  return condition.is === 'and' ? [...conjuncts(condition.left), ...conjuncts(condition.right)] : [condition];
}
