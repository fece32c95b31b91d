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

/** The fields of a type of object, by their names. A field that an object lacks is undefined. */
export type FieldReaders<Source> = Readonly<Record<string, (source: Source, field: Field) => unknown>>;

/** The JSON of an object with `id` and the requested fields. Throws on an unknown field. */
export function graphNode<Source extends { readonly id: string }>(
  type: string,
  readers: FieldReaders<Source>,
  source: Source,
  fields: readonly Field[],
): Record<string, unknown> {
  const node = new Map<string, unknown>();
  for (const field of fields) {
    const read = Object.hasOwn(readers, field.name) ? readers[field.name] : undefined;
    if (read === undefined) {
      const text = `Tried accessing nonexisting field (${field.name}) on node type (${type})`;
      throw new GraphError('invalid_parameter', text);
    }
    node.set(field.name, pick(read(source, field), field.subfields));
  }
  return Object.fromEntries(node.set('id', source.id));
}

function pick(value: unknown, names: readonly string[] | undefined): unknown {
  if (names === undefined || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name === 'id' || names.includes(name)));
}

/** Graph's time format: `2023-05-21T11:18:09+0000`. */
export function graphTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, '+0000');
}
