import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { convertToAttr, marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isObject } from '#shared/base/json/json-object.ts';

type Values = Record<string, unknown>;
type AttributeValues = Record<string, AttributeValue>;

const options = { removeUndefinedValues: true };

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

/**
 * Replaces the plain values in a request by attribute values (DynamoDB API, AttributeValue). The table holds no binary
 * values, so they are not supported.
 */
export function toAttributeValues(request: object): object {
  return converted(request, (name, value) => {
    if (mapsOfAttributes.has(name)) return marshall(value as Values, options);
    if (listsOfMaps.has(name)) return (value as Values[]).map((one) => marshall(one, options));
    if (name === 'Parameters') return (value as unknown[]).map((one) => convertToAttr(one, options));
    return undefined;
  });
}

/** Replaces the attribute values in a response by plain values. */
export function fromAttributeValues(response: object): object {
  return converted(response, (name, value) => {
    if (mapsOfAttributes.has(name)) return unmarshall(value as AttributeValues);
    if (listsOfMaps.has(name)) return (value as AttributeValues[]).map((one) => unmarshall(one));
    // BatchGetItem returns the items of each table under the table's name; other operations return a list.
    if (name === 'Responses' && isObject(value)) return itemsByTable(value as Record<string, AttributeValues[]>);
    return undefined;
  });
}

const itemsByTable = (tables: Readonly<Record<string, AttributeValues[]>>) =>
  Object.fromEntries(Object.entries(tables).map(([table, items]) => [table, items.map((one) => unmarshall(one))]));

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
