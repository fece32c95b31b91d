import { GraphError } from './graph-errors.ts';

/** Reads Graph's `fields` parameter: names with commas between them. Throws Graph's "Invalid parameter". */
export function parseFields(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.every((name) => /^\w+$/.test(name))) return names;
  throw new GraphError('invalid_parameter', 'Syntax error in the parameter fields');
}

/** The fields of a type of object, by their names. A field that an object lacks is undefined. */
export type FieldReaders<Source> = Readonly<Record<string, (source: Source) => unknown>>;

/** Fields that Graph has, and of which there is nothing to tell here. */
export const unset = (...names: string[]): FieldReaders<unknown> =>
  Object.fromEntries(names.flatMap((text) => text.split(/\s+/)).map((name) => [name, () => undefined]));

/** The JSON of an object with `id` and the requested fields. Throws on an unknown field. */
export function graphNode<Source extends { readonly id: string }>(
  type: string,
  readers: FieldReaders<Source>,
  source: Source,
  fields: readonly string[],
): Record<string, unknown> {
  const node = new Map<string, unknown>();
  for (const field of fields) {
    const read = Object.hasOwn(readers, field) ? readers[field] : undefined;
    if (read === undefined) {
      throw new GraphError('invalid_parameter', `Tried accessing nonexisting field (${field}) on node type (${type})`);
    }
    node.set(field, read(source));
  }
  return Object.fromEntries(node.set('id', source.id));
}

/** Graph's time format: `2023-05-21T11:18:09+0000`. */
export function graphTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, '+0000');
}
