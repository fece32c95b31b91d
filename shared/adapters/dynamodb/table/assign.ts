/**
 * The parts of an `UpdateCommand` that set some attributes and remove others. A dot in a name leads into a map, which
 * must exist. Conditions may use the aliases that it defines: `#name` and `:name` for each attribute that is set.
 *
 * @param computed attributes that are set to an expression, such as `if_not_exists(first, :value)`
 * @param values the values in these expressions, by their aliases
 */
export function assign(
  set: Readonly<Record<string, unknown>>,
  remove: readonly string[] = [],
  computed: Readonly<Record<string, string>> = {},
  values: Readonly<Record<string, unknown>> = {},
) {
  const names = Object.keys(set).filter((name) => set[name] !== undefined);
  const assignments = [
    ...names.map((name) => `${pathAlias(name)} = ${valueAlias(name)}`),
    ...Object.entries(computed).map(([name, expression]) => `${pathAlias(name)} = ${expression}`),
  ];
  const clauses = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map(pathAlias).join(', ')}`] : []),
  ];
  const parts = [...names, ...Object.keys(computed), ...remove].flatMap((name) => name.split('.'));
  const allValues = { ...Object.fromEntries(names.map((name) => [valueAlias(name), set[name]])), ...values };
  return {
    UpdateExpression: clauses.join(' '),
    // DynamoDB rejects empty maps.
    ...(parts.length > 0 && { ExpressionAttributeNames: Object.fromEntries(parts.map((part) => [`#${part}`, part])) }),
    ...(Object.keys(allValues).length > 0 && { ExpressionAttributeValues: allValues }),
  };
}

/** The aliases of an attribute: `#map.#member` for `map.member`. */
export const pathAlias = (name: string): string =>
  name
    .split('.')
    .map((part) => `#${part}`)
    .join('.');

/** The alias of a value: `:map__member` for `map.member`. No attribute's own name has two underscores in a row. */
const valueAlias = (name: string) => `:${name.replaceAll('.', '__')}`;
