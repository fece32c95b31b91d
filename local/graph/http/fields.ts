import { GraphError } from '../core/graph-errors.ts';

/** One item of Graph's `fields` parameter, such as `preview.invalidate(false)` or `application{id,name}`. */
export interface Field {
  readonly name: string;
  readonly modifiers: ReadonlyMap<string, string>;
  readonly subfields?: readonly string[];
}

const fieldPattern = /\s*(?<name>\w+)(?<modifiers>(?:\.\w+\([^()]*\))*)(?:\{(?<subfields>[^{}]*)\})?\s*(?:,|$)/y;
const modifierPattern = /\.(\w+)\(([^()]*)\)/g;

/** Reads the `fields` parameter. Throws Graph's "Invalid parameter" on a syntax error. */
export function parseFields(text: string): Field[] {
  const fields: Field[] = [];
  fieldPattern.lastIndex = 0;
  while (fieldPattern.lastIndex < text.length) {
    const groups = fieldPattern.exec(text)?.groups;
    if (groups?.name === undefined) throw new GraphError('invalid_parameter', 'Syntax error in the parameter fields');
    const modifiers = [...(groups.modifiers ?? '').matchAll(modifierPattern)];
    fields.push({
      name: groups.name,
      modifiers: new Map(modifiers.map(([, name, argument]) => [name ?? '', argument ?? ''])),
      ...(groups.subfields !== undefined && { subfields: groups.subfields.split(',').map((name) => name.trim()) }),
    });
  }
  return fields;
}
