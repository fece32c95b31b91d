import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isObject } from '#shared/base/json/json-object.ts';

type Values = Record<string, unknown>;
type AttributeValues = Record<string, AttributeValue>;

/** The members of requests and responses that contain attributes, or a list of items or keys. */
const mapsOfAttributes: ReadonlySet<string> = new Set([
  'Attributes',
  'ExclusiveStartKey',
  'ExpressionAttributeValues',
  'Item',
  'Key',
  'LastEvaluatedKey',
]);
const listsOfMaps: ReadonlySet<string> = new Set(['Items', 'Keys']);

/** Replaces the plain values in a request by attribute values (DynamoDB API, AttributeValue). */
export function toAttributeValues(request: object): object {
  return converted(request, (name, value) => {
    if (mapsOfAttributes.has(name)) return toAttributes(value as Values);
    if (listsOfMaps.has(name)) return (value as Values[]).map(toAttributes);
    if (name === 'Parameters') return (value as unknown[]).map(toAttribute);
    return undefined;
  });
}

/** Replaces the attribute values in a response by plain values. */
export function fromAttributeValues(response: object): object {
  return converted(response, (name, value) => {
    if (mapsOfAttributes.has(name)) return fromAttributes(value as AttributeValues);
    if (listsOfMaps.has(name)) return (value as AttributeValues[]).map(fromAttributes);
    // BatchGetItem returns the items of each table under the table's name; other operations return a list.
    if (name === 'Responses' && isObject(value)) return itemsByTable(value as Record<string, AttributeValues[]>);
    return undefined;
  });
}

const itemsByTable = (tables: Readonly<Record<string, AttributeValues[]>>) =>
  Object.fromEntries(Object.entries(tables).map(([table, items]) => [table, items.map(fromAttributes)]));

/** Copies an object, with what `convert` makes of its members, at any depth, unless that is `undefined`. */
function converted(value: unknown, convert: (name: string, value: unknown) => unknown): never {
  if (Array.isArray(value)) return value.map((one) => converted(one, convert)) as never;
  if (!isObject(value)) return value as never;
  const copy: Values = {};
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) copy[name] = convert(name, member) ?? converted(member, convert);
  }
  return copy as never;
}

/** Leaves out members that are `undefined`. */
function toAttributes(values: Values): AttributeValues {
  const attributes: AttributeValues = {};
  for (const [name, value] of Object.entries(values)) {
    // The assignment would set the prototype, and the member would be lost.
    if (name === '__proto__') throw new TypeError('The table holds no member __proto__');
    if (value !== undefined) attributes[name] = toAttribute(value);
  }
  return attributes;
}

/** The only sets that the table may hold are those of texts, and it holds no binary values. */
function toAttribute(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: numberText(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((one) => one !== undefined).map(toAttribute) };
  if (value instanceof Set) return { SS: [...value].map(textOf) };
  if (isPlain(value)) return { M: toAttributes(value) };
  throw unsupported(value);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw unsupported(value);
}

/** Names the type only, because the value may be secret. */
const unsupported = (value: unknown) =>
  new TypeError(`The table holds no value of this type: ${Object.prototype.toString.call(value)}`);

/** An integer must be exact. DynamoDB would keep the digits of a larger one, but they would no longer be the right ones. */
function numberText(value: number): string {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  throw new RangeError(`The table cannot hold the number ${value}`);
}

function isPlain(value: unknown): value is Values {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function fromAttributes(attributes: Readonly<AttributeValues>): Values {
  const values: Values = {};
  for (const [name, attribute] of Object.entries(attributes)) values[name] = fromAttribute(attribute);
  return values;
}

function fromAttribute(attribute: AttributeValue): unknown {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL !== undefined) return null;
  if (attribute.L !== undefined) return attribute.L.map(fromAttribute);
  if (attribute.M !== undefined) return fromAttributes(attribute.M);
  if (attribute.SS !== undefined) return new Set(attribute.SS);
  throw new TypeError(`The table holds an attribute of another type: ${Object.keys(attribute).join()}`);
}
