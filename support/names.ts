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

/** The names of log events in TypeScript code: the texts in the event that a call of `log` or `logEvent` names. */
export function logEventsIn(code: string, tsx = false): string[] {
  // Parsing takes long, and few files log.
  if (!/\blog(Event)?\(/.test(code)) return [];
  const program = parseSync(code, { syntax: 'typescript', tsx });
  const functions = new Map<string, unknown>();
  visit(program, (node) => {
    if (node.type === 'FunctionDeclaration') functions.set(identifierOf(node.identifier), node.body);
  });
  /** An event may be the result of a function of the same file. */
  const textsOf = (node: unknown): string[] => {
    const found: string[] = [];
    visit(node, ({ type, value, raw, callee }) => {
      if (type === 'StringLiteral') found.push(String(value));
      if (type === 'TemplateElement') found.push(String(raw));
      if (type === 'CallExpression') found.push(...textsOf(functions.get(identifierOf(callee))));
    });
    return found;
  };
  const events: string[] = [];
  visit(program, ({ type, callee, arguments: args }) => {
    const position = type === 'CallExpression' ? ['logEvent', 'log'].indexOf(identifierOf(callee)) : -1;
    if (position >= 0 && Array.isArray(args)) events.push(...textsOf(args[position]));
  });
  return events;
}

function visit(node: unknown, look: (node: Record<string, unknown>) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, look);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  look(node as Record<string, unknown>);
  visit(Object.values(node), look);
}

function identifierOf(node: unknown): string {
  return isIdentifier(node) ? String(Reflect.get(node as object, 'value')) : '';
}
