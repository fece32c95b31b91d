import type { Item } from '../../../support/memory-table/evaluate.ts';

/** The bytes that DynamoDB counts for an item: names and values. */
export function itemSize(item: Item | undefined): number {
  let bytes = 0;
  for (const name in item) bytes += Buffer.byteLength(name) + valueSize(item[name]);
  return bytes;
}

function valueSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  // A byte for two digits, and one more.
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return value.reduce((bytes, member) => bytes + 1 + valueSize(member), 3);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((bytes, member) => bytes + 1 + valueSize(member), 3) + namesSize(value);
}

function namesSize(value: object): number {
  return Object.keys(value).reduce((bytes, name) => bytes + Buffer.byteLength(name), 0);
}
