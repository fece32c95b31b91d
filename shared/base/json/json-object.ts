import { isRawNumber } from './exact-json.ts';

/**
 * An object of parsed JSON. Copies of one keep the order of its members. Where somebody else chose the names, read its
 * members with {@link own}.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** A member of an object; undefined for anything else and for what the object only inherits. */
export function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value if it is a list, else an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

/** An object with these members: unlike an assignment, it makes an own member of `__proto__` too. */
export function objectOf(members: Iterable<readonly [string, unknown]>): JsonObject {
  return Object.fromEntries(members);
}
