import { GraphError } from '../core/graph-errors.ts';
import type { Field } from './fields.ts';

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
