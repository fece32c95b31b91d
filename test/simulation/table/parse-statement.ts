import type { Write } from './memory-table.ts';

/** Reads a write in PartiQL, in the two forms that the product uses, as what `PutItem` or `UpdateItem` would take. */
export function parseStatement(statement: string, parameters: readonly unknown[]): Write {
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

function update(statement: string, parameters: readonly unknown[]): Write {
  const [, change = '', condition = ''] =
    /^UPDATE "[^"]+" (.+) WHERE "pk"=\? AND "sk"=\? AND (.+)$/.exec(statement) ?? [];
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
  };
}
