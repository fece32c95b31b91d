/**
 * The parts of an `UpdateCommand` that set some attributes and remove others. Conditions may use the aliases that it
 * defines: `#name` and `:name` for each attribute that is set.
 *
 * @param computed attributes that are set to an expression, such as `if_not_exists(first, :value)`
 */
export function assign(
  set: Readonly<Record<string, unknown>>,
  remove: readonly string[] = [],
  computed: Readonly<Record<string, string>> = {},
) {
  const names = Object.keys(set).filter((name) => set[name] !== undefined);
  const assignments = [
    ...names.map((name) => `#${name} = :${name}`),
    ...Object.entries(computed).map(([name, expression]) => `#${name} = ${expression}`),
  ];
  const clauses = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
  ];
  const aliases = [...names, ...Object.keys(computed), ...remove].map((name) => [`#${name}`, name]);
  return {
    UpdateExpression: clauses.join(' '),
    // DynamoDB rejects empty maps.
    ...(aliases.length > 0 && { ExpressionAttributeNames: Object.fromEntries(aliases) as Record<string, string> }),
    ...(names.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, set[name]])),
    }),
  };
}
