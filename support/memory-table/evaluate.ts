import { isDeepStrictEqual } from 'node:util';
import type { Condition, Operand, Step, Update } from '#local/aws/dynamodb/parse-expression.ts';
import { validationError } from './errors.ts';

export type Item = Record<string, unknown>;

/** What an expression's `#names` and `:values` stand for. */
export interface Aliases {
  names: Readonly<Record<string, string>>;
  values: Readonly<Record<string, unknown>>;
}

export function holds(condition: Condition, item: Item, aliases: Aliases): boolean {
  const read = (operand: Operand) => valueIn(operand, item, aliases);
  switch (condition.is) {
    case 'and':
      return holds(condition.left, item, aliases) && holds(condition.right, item, aliases);
    case 'or':
      return holds(condition.left, item, aliases) || holds(condition.right, item, aliases);
    case 'not':
      return !holds(condition.condition, item, aliases);
    case 'compare':
      return compares(condition.operator, read(condition.left), read(condition.right));
    case 'between': {
      const value = read(condition.operand);
      return compares('>=', value, read(condition.low)) && compares('<=', value, read(condition.high));
    }
    case 'in': {
      const value = read(condition.operand);
      return value !== undefined && condition.list.some((operand) => isEqual(value, read(operand)));
    }
    case 'call':
      return callHolds(condition.name, condition.operands.map(read));
  }
}

function callHolds(name: string, [first, second]: readonly unknown[]): boolean {
  switch (name) {
    case 'attribute_exists':
      return first !== undefined;
    case 'attribute_not_exists':
      return first === undefined;
    case 'begins_with':
      return typeof first === 'string' && typeof second === 'string' && first.startsWith(second);
    case 'contains':
      if (typeof first === 'string') return typeof second === 'string' && first.includes(second);
      if (first instanceof Set) return first.has(second);
      return Array.isArray(first) && first.some((member) => isEqual(member, second));
    default:
      throw new Error(`The simulated table does not know the condition ${name}()`);
  }
}

function compares(operator: string, left: unknown, right: unknown): boolean {
  if (operator === '=') return left !== undefined && isEqual(left, right);
  if (operator === '<>') return !(left !== undefined && isEqual(left, right));
  if (typeof left === 'number' && typeof right === 'number') return inOrder(operator, left - right);
  if (typeof left === 'string' && typeof right === 'string') return inOrder(operator, compareTexts(left, right));
  return false;
}

function inOrder(operator: string, difference: number): boolean {
  switch (operator) {
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    default:
      return difference >= 0;
  }
}

/** All keys of this project are ASCII. For ASCII, this is the byte order that DynamoDB uses. */
export const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && isDeepStrictEqual(a, b));
}

function valueIn(operand: Operand, item: Item, aliases: Aliases): unknown {
  switch (operand.is) {
    case 'value':
      return aliasedValue(operand.name, aliases);
    case 'path':
      return valueAt(item, resolve(operand.path, aliases));
    case 'sum': {
      const left = valueIn(operand.left, item, aliases);
      const right = valueIn(operand.right, item, aliases);
      if (typeof left !== 'number' || typeof right !== 'number') throw validationError('Not a sum of numbers');
      return left + operand.sign * right;
    }
    case 'call':
      return functionValue(
        operand.name,
        operand.operands.map((each) => valueIn(each, item, aliases)),
      );
  }
}

function functionValue(name: string, [first, second]: readonly unknown[]): unknown {
  switch (name) {
    case 'if_not_exists':
      return first === undefined ? second : first;
    case 'list_append':
      if (!Array.isArray(first) || !Array.isArray(second)) throw validationError('Not two lists to append');
      return [...first, ...second];
    case 'size':
      return sizeOf(first);
    default:
      throw new Error(`The simulated table does not know the function ${name}()`);
  }
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (value instanceof Set) return value.size;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

function aliasedValue(name: string, { values }: Aliases): unknown {
  if (!(name in values)) throw validationError(`An expression uses a value that is not defined: ${name}`);
  return values[name];
}

function resolve(path: readonly Step[], { names }: Aliases): Step[] {
  return path.map((step) => {
    if (typeof step !== 'string' || !step.startsWith('#')) return step;
    const name = names[step];
    if (name === undefined) throw validationError(`An expression uses a name that is not defined: ${step}`);
    return name;
  });
}

function valueAt(item: unknown, path: readonly Step[]): unknown {
  let value = item;
  for (const step of path) {
    const isFitting = typeof step === 'number' ? Array.isArray(value) : isMap(value);
    value = isFitting ? Reflect.get(value as object, step) : undefined;
  }
  return value;
}

const isMap = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set);

const keyNames = ['pk', 'sk'];
const indexKeyNames = ['gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'];

/** Rejects an update that no item allows. */
export function rejectImpossible({ set, remove, add, delete: from }: Update, aliases: Aliases): void {
  const paths = [...[...set, ...add, ...from].map(({ path }) => path), ...remove].map((path) => resolve(path, aliases));
  if (paths.some(([name]) => keyNames.includes(String(name)))) {
    throw validationError('Cannot update an attribute that is part of the key');
  }
  const isOverlapping = paths.some((path, index) => paths.slice(index + 1).some((other) => overlap(path, other)));
  if (isOverlapping) throw validationError('Two document paths overlap with each other');
  for (const { path, to } of set) {
    const [name, ...rest] = resolve(path, aliases);
    if (to.is !== 'value' || rest.length > 0 || !indexKeyNames.includes(String(name))) continue;
    const value = aliasedValue(to.name, aliases);
    if (typeof value !== 'string' || value === '') throw validationError(`Not a key of an index: ${name}`);
  }
}

/** Whether one path leads to the other or into it. */
function overlap(one: readonly Step[], other: readonly Step[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((step, index) => step === long[index]);
}

/** The item after the update. The update reads the values from before. */
export function applied(update: Update, item: Item, aliases: Aliases): Item {
  const next = cloned(item) as Item;
  for (const { path, to } of update.set) assignAt(next, resolve(path, aliases), valueIn(to, item, aliases));
  for (const path of update.remove) removeAt(next, resolve(path, aliases));
  for (const { path, value } of update.add) {
    const at = resolve(path, aliases);
    assignAt(next, at, added(valueAt(item, at), valueIn(value, item, aliases)));
  }
  for (const { path, value } of update.delete) {
    const at = resolve(path, aliases);
    const left = without(valueAt(item, at), valueIn(value, item, aliases));
    if (left.size > 0) assignAt(next, at, left);
    else removeAt(next, at);
  }
  return next;
}

function added(value: unknown, more: unknown): unknown {
  if (typeof more === 'number' && (value === undefined || typeof value === 'number')) return (value ?? 0) + more;
  if (more instanceof Set && (value === undefined || value instanceof Set)) return new Set([...(value ?? []), ...more]);
  throw validationError('ADD takes numbers and sets');
}

function without(value: unknown, less: unknown): Set<unknown> {
  if (!(less instanceof Set) || !(value === undefined || value instanceof Set)) {
    throw validationError('DELETE takes sets');
  }
  return new Set([...(value ?? [])].filter((member) => !less.has(member)));
}

const invalidPath = 'The document path provided in the update expression is invalid for update';

function assignAt(item: Item, path: readonly Step[], value: unknown): void {
  if (value === undefined) throw validationError('An expression reads an attribute that does not exist');
  const parent = path.length === 1 ? item : valueAt(item, path.slice(0, -1));
  const last = path.at(-1);
  if (typeof last === 'number' && Array.isArray(parent)) parent[Math.min(last, parent.length)] = cloned(value);
  else if (typeof last === 'string' && isMap(parent)) parent[last] = cloned(value);
  else throw validationError(invalidPath);
}

function removeAt(item: Item, path: readonly Step[]): void {
  const parent = path.length === 1 ? item : valueAt(item, path.slice(0, -1));
  const last = path.at(-1);
  if (typeof last === 'number' && Array.isArray(parent)) parent.splice(last, 1);
  else if (typeof last === 'string' && isMap(parent)) delete parent[last];
  else throw validationError(invalidPath);
}

/** The attributes of the item that a projection names, all of them on the first level. */
export function projected(item: Item, paths: readonly (readonly Step[])[], aliases: Aliases): Item {
  const kept = paths.map((path) => {
    const [name, ...rest] = resolve(path, aliases);
    if (rest.length > 0) throw new Error('The simulated table does not know projections into documents');
    return String(name);
  });
  return Object.fromEntries(kept.filter((name) => name in item).map((name) => [name, item[name]]));
}

/** A deep copy; members that are `undefined` are left out, like the document client's settings. */
export function cloned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.filter((member) => member !== undefined).map(cloned);
  if (value instanceof Set) return new Set(value);
  if (value instanceof Map) return cloned(Object.fromEntries(value));
  const copy: Item = {};
  for (const name in value) {
    const member = (value as Item)[name];
    if (member !== undefined) copy[name] = cloned(member);
  }
  return copy;
}
