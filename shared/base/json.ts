import { isRawNumber } from './exact-json.ts';

/**
 * An object of parsed JSON. Copies keep the order of its members. If a client chose the names, read the members with
 * {@link own}, which ignores inherited ones.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Returns an object's own member; `undefined` for inherited members and for values that are not objects. */
export function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether the value is text, and not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

/** Creates an object with these members. Unlike an assignment, this makes `__proto__` an own member too. */
export function objectOf(members: Iterable<readonly [string, unknown]>): JsonObject {
  return Object.fromEntries(members);
}

/** Deeper than any Flow JSON, and far below the depth at which recursion over a value would exhaust the stack. */
export const maxJsonDepth = 200;

/** Whether arrays and objects nest deeper than `limit`. It goes no deeper itself, so it cannot exhaust the stack. */
export function nestsDeeperThan(limit: number, value: unknown): boolean {
  if (!isContainer(value)) return false;
  return limit === 0 || Object.values(value).some((member) => nestsDeeperThan(limit - 1, member));
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isRawNumber(value);
}

/** Parses JSON; returns `undefined` if the text is invalid. */
export function parseJson(bytes: Buffer | string): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Returns `undefined` for a value with thousands of nested levels, which cannot be written as JSON. */
export function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
