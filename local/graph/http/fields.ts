import { GraphError } from '../core/graph-errors.ts';

/** One item of Graph's `fields` parameter, such as `preview.invalidate(false)` or `application{id,name}`. */
export interface Field {
  readonly name: string;
  readonly modifiers: ReadonlyMap<string, string>;
  readonly subfields?: readonly string[];
}

const FIELD = /\s*(?<name>\w+)(?<modifiers>(?:\.\w+\([^()]*\))*)(?:\{(?<subfields>[^{}]*)\})?\s*(?:,|$)/y;
const MODIFIER = /\.(\w+)\(([^()]*)\)/g;

/** Reads the `fields` parameter. Throws Graph's "Invalid parameter" on a syntax error. */
export function parseFields(text: string): Field[] {
  const fields: Field[] = [];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const groups = FIELD.exec(text)?.groups;
    if (groups?.name === undefined) throw new GraphError('invalid_parameter', 'Syntax error in the parameter fields');
    const modifiers = [...(groups.modifiers ?? '').matchAll(MODIFIER)];
    fields.push({
      name: groups.name,
      modifiers: new Map(modifiers.map(([, name, argument]) => [name ?? '', argument ?? ''])),
      ...(groups.subfields !== undefined && { subfields: groups.subfields.split(',').map((name) => name.trim()) }),
    });
  }
  return fields;
}
