import { isObject } from '#shared/base/json/json-object.ts';

/**
 * Finds the members called `__proto__` that a schema dropped, with the names on the way to them. No schema can name
 * such a member, so it would vanish without a word. What a schema takes as a whole, such as a Flow JSON, keeps it.
 */
export function lostMembers(input: unknown, parsed: unknown, path: readonly string[] = []): string[][] {
  if (input === parsed) return [];
  if (Array.isArray(input) && Array.isArray(parsed)) {
    return input.flatMap((item, index) => lostMembers(item, parsed[index], [...path, String(index)]));
  }
  if (!isObject(input) || !isObject(parsed)) return [];
  return Object.entries(input).flatMap(([name, member]) => {
    if (name === '__proto__' && !Object.hasOwn(parsed, name)) return [[...path, name]];
    return Object.hasOwn(parsed, name) ? lostMembers(member, parsed[name], [...path, name]) : [];
  });
}
