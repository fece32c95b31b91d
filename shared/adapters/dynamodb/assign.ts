/**
 * The parts of an `UpdateCommand` that set some attributes and remove others. Conditions may name what it defines:
 * `#name` and `:name` for each attribute that is set.
 */
export function assign(set: Readonly<Record<string, unknown>>, remove: readonly string[] = []) {
  const names = Object.keys(set).filter((name) => set[name] !== undefined);
  const clauses = [
    ...(names.length > 0 ? [`SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
  ];
  return {
    UpdateExpression: clauses.join(' '),
    ExpressionAttributeNames: Object.fromEntries([...names, ...remove].map((name) => [`#${name}`, name])),
    ...(names.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, set[name]])),
    }),
  };
}
