import type { Key } from './batch-get.ts';

interface PartiQl {
  text: string;
  /** The values of the question marks in `text`. */
  parameters: readonly unknown[];
}

/** A condition. */
export type Where = PartiQl;

/** A write, which DynamoDB executes in a batch with others. */
export interface Statement extends PartiQl {
  /** Identifies the item that it writes. */
  key: string;
}

/** Creates an item unless there is one with its key (then `DuplicateItem`). */
export function insertStatement(table: string, item: Key & Readonly<Record<string, unknown>>): Statement {
  const names = Object.keys(item).filter((name) => item[name] !== undefined);
  return {
    text: `INSERT INTO "${table}" VALUE {${names.map((name) => `'${name}':?`).join(',')}}`,
    parameters: names.map((name) => item[name]),
    key: keyOf(item),
  };
}

/** Changes an item if the condition holds (otherwise `ConditionalCheckFailed`). It can return the item as it is then. */
export function updateStatement(
  table: string,
  key: Key,
  { set, remove }: { set: Readonly<Record<string, unknown>>; remove: readonly string[] },
  where: Where,
  returning?: 'ALL NEW',
): Statement {
  const names = Object.keys(set).filter((name) => set[name] !== undefined);
  const changes = [
    `SET ${names.map((name) => `"${name}"=?`).join(', ')}`,
    ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `"${name}"`).join(', ')}`] : []),
  ];
  return {
    text: [
      `UPDATE "${table}" ${changes.join(' ')} WHERE "pk"=? AND "sk"=? AND ${where.text}`,
      ...(returning ? [`RETURNING ${returning} *`] : []),
    ].join(' '),
    parameters: [...names.map((name) => set[name]), key.pk, key.sk, ...where.parameters],
    key: keyOf(key),
  };
}

const keyOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
