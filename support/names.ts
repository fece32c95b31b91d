import { parseSync } from '@swc/core';

/**
 * The names in TypeScript code, apart from environment variables and keys of object literals: these may be values that
 * others define.
 */
export function namesIn(code: string, tsx = false): string[] {
  return names(parseSync(code, { syntax: 'typescript', tsx }));
}

function names(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(names);
  if (typeof node !== 'object' || node === null) return [];
  const { type, key, ...members } = node as Record<string, unknown>;
  if (type === 'Identifier' || type === 'PrivateName') {
    const name = String(members.value);
    return [...(/^[A-Z0-9_]+$/.test(name) ? [] : [name]), ...names(members.typeAnnotation)];
  }
  const isData = type === 'KeyValueProperty' || type === 'KeyValuePatternProperty';
  return [...(isData && isIdentifier(key) ? [] : names(key)), ...Object.values(members).flatMap(names)];
}

const isIdentifier = (key: unknown) =>
  typeof key === 'object' && key !== null && Reflect.get(key, 'type') === 'Identifier';

/** A name in lower case, with spaces between its words. */
export function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .replace(/[_/.-]+/g, ' ')
    .toLowerCase();
}
