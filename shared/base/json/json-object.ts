import { isRawNumber } from './exact-json.ts';

/** An object of parsed JSON. Copies of one keep the order of its members. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}
