import type { Write } from './memory-table.ts';

/** A write in PartiQL, as what `PutItem` or `UpdateItem` would take. */
export type StatementWrite = Write & { ReturnValues?: 'ALL_NEW' };

/** Reads a write in one of the forms that the product uses. */
export function parseStatement(statement: string, parameters: readonly unknown[]): StatementWrite {
  return statement.startsWith('INSERT') ? insertion(statement, parameters) : update(statement, parameters);
}

function insertion(statement: string, parameters: readonly unknown[]): Write {
  const names = [...statement.matchAll(/'(\w+)':\?/g)].map(([, name = '']) => name);
  const item = Object.fromEntries(names.map((name, index) => [name, parameters[index]]));
  return {
    kind: 'put',
    key: { pk: String(item.pk), sk: String(item.sk) },
    item,
    ConditionExpression: 'attribute_not_exists(pk)',
  };
}

function update(statement: string, parameters: readonly unknown[]): StatementWrite {
  const [, change = '', condition = '', returning] =
    /^UPDATE "[^"]+" (.+) WHERE "pk"=\? AND "sk"=\? AND (.+?)( RETURNING ALL NEW \*)?$/.exec(statement) ?? [];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  let taken = 0;
  const aliased = (text: string) =>
    text
      .replace(/"(\w+)"/g, (_, name: string) => {
        names[`#${name}`] = name;
        return `#${name}`;
      })
      .replace(/\?/g, () => {
        values[`:p${taken}`] = parameters[taken];
        return `:p${taken++}`;
      });
  const UpdateExpression = aliased(change);
  const [pk, sk] = [parameters[taken++], parameters[taken++]];
  return {
    kind: 'update',
    key: { pk: String(pk), sk: String(sk) },
    UpdateExpression,
    ConditionExpression: `attribute_exists(pk) AND ${aliased(condition)}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ...(returning && { ReturnValues: 'ALL_NEW' }),
  };
}
