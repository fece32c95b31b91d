import type { Attributes, Call, KeyNames } from './call.ts';
import {
  type Condition,
  type Operand,
  parseCondition,
  parsePaths,
  parseUpdate,
  type Step,
} from './parse-expression.ts';

type Value = Readonly<Record<string, unknown>>;

/** An operator or a function, and what it is applied to. The names of operators have capital letters. */
export interface Operation {
  operator: string;
  operands: readonly Operand[];
}

const kinds = ['ConditionExpression', 'FilterExpression', 'UpdateExpression', 'KeyConditionExpression'] as const;

/** The operations of each expression of the call. The engine rejects what cannot be parsed. */
export function operationsOf(call: Call): { kind: string; operations: Operation[] }[] {
  return kinds.flatMap((kind) => {
    const text = call[kind];
    if (text === undefined) return [];
    return [{ kind, operations: kind === 'UpdateExpression' ? operationsInUpdate(text) : operationsInCondition(text) }];
  });
}

function operationsInUpdate(text: string): Operation[] {
  const { set = [] } = parsed(parseUpdate, text) ?? {};
  return set.flatMap(({ to }) => [{ operator: 'SET', operands: [to] }, ...operationsIn(to)]);
}

function operationsInCondition(text: string | undefined): Operation[] {
  const condition = text === undefined ? undefined : parsed(parseCondition, text);
  return condition ? operationsIn(condition) : [];
}

/** The operation at the top, and all below it. */
function operationsIn(node: Condition | Operand): Operation[] {
  switch (node.is) {
    case 'path':
    case 'value':
      return [];
    case 'and':
    case 'or':
      return [
        { operator: node.is.toUpperCase(), operands: [] },
        ...operationsIn(node.left),
        ...operationsIn(node.right),
      ];
    case 'not':
      return [{ operator: 'NOT', operands: [] }, ...operationsIn(node.condition)];
    case 'sum':
      return applied(node.sign > 0 ? '+' : '-', [node.left, node.right]);
    case 'compare':
      return applied(node.operator, [node.left, node.right]);
    case 'between':
      return applied('BETWEEN', [node.operand, node.low, node.high]);
    case 'in':
      return applied('IN', [node.operand, ...node.list]);
    case 'call':
      return applied(node.name, node.operands);
  }
}

const applied = (operator: string, operands: readonly Operand[]): Operation[] => [
  { operator, operands },
  ...operands.flatMap(operationsIn),
];

/** The path of an operand that is one, name by name: `#a.b[0]` is `a`, `b` and `[0]`. */
export function pathOf(call: Call, operand: Operand | undefined): string[] | undefined {
  return operand?.is === 'path' ? named(call, operand.path) : undefined;
}

function named({ ExpressionAttributeNames: names }: Call, path: readonly Step[]): string[] {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : (names?.[step] ?? step)));
}

/** The value of an operand that is a placeholder for one. */
export function placedValue(call: Call, operand: Operand | undefined): Value | undefined {
  return operand?.is === 'value' ? call.ExpressionAttributeValues?.[operand.name] : undefined;
}

interface KeyCondition {
  key: string;
  operator: string;
  value: Value | undefined;
}

const reversed: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** What a query compares its keys with, the key on the left. `BETWEEN` is two comparisons. */
export function keyConditions(call: Call, { partition, sort }: KeyNames): KeyCondition[] {
  return operationsInCondition(call.KeyConditionExpression)
    .flatMap(({ operator, operands }) => {
      const [first, second, third] = operands;
      if (operator === 'BETWEEN') return [condition(first, '>=', second), condition(first, '<=', third)];
      return first?.is === 'value'
        ? [condition(second, reversed[operator] ?? operator, first)]
        : [condition(first, operator, second)];
    })
    .filter(({ key }) => key === partition || key === sort);

  function condition(path: Operand | undefined, operator: string, value: Operand | undefined): KeyCondition {
    return { key: pathOf(call, path)?.join('.') ?? '', operator, value: placedValue(call, value) };
  }
}

/** The attributes that a filter reads. */
export function filteredAttributes(call: Call): string[] {
  const operands = operationsInCondition(call.FilterExpression).flatMap((operation) => operation.operands);
  return operands.flatMap((operand) => pathOf(call, operand)?.slice(0, 1) ?? []);
}

/** The attributes that a call asks for. */
export function projectedAttributes(call: Call): string[] {
  const paths = call.ProjectionExpression === undefined ? [] : (parsed(parsePaths, call.ProjectionExpression) ?? []);
  return paths.flatMap((path) => named(call, path).slice(0, 1));
}

/** The document paths that an update writes. */
export function updatedPaths(call: Call): string[][] {
  const update = call.UpdateExpression === undefined ? undefined : parsed(parseUpdate, call.UpdateExpression);
  if (!update) return [];
  const { set, remove, add, delete: deleted } = update;
  return [...set.map(({ path }) => path), ...remove, ...[...add, ...deleted].map(({ path }) => path)].map((path) =>
    named(call, path),
  );
}

/** What the call may write to an attribute. */
export function writtenValues(call: Call, name: string): Value[] {
  const inItem = (call.Item as Attributes | undefined)?.[name];
  const { set = [] } =
    (call.UpdateExpression === undefined ? undefined : parsed(parseUpdate, call.UpdateExpression)) ?? {};
  const assigned = set
    .filter(({ path }) => named(call, path).join('.') === name)
    .flatMap(({ to }) => results(call, to));
  return inItem ? [inItem, ...assigned] : assigned;
}

/** The values that can come out of an operand: of `if_not_exists(a, :v)`, that of `:v`. */
function results(call: Call, operand: Operand): Value[] {
  if (operand.is === 'call') return operand.operands.flatMap((each) => results(call, each));
  const value = placedValue(call, operand);
  return value ? [value] : [];
}

const maxExpressionBytes = 4096;

function parsed<T>(parse: (text: string) => T, text: string): T | undefined {
  if (Buffer.byteLength(text) > maxExpressionBytes) return;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return;
    throw error;
  }
}
