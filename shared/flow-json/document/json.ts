/** What `JSON.parse` makes of an object. Its members are read with {@link own} only, as their names are an author's. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of an object; undefined for anything else and for what it only inherits. */
export function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A list as it stands, an empty one for anything else. */
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
