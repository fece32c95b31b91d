/**
 * Returns the entries that a comma-separated list of names selects, in the order of the table; all of them without a list. An unknown
 * name is an error that says which names there are.
 */
export function select<Entry>(table: Readonly<Record<string, Entry>>, names: string | undefined): [string, Entry][] {
  if (names === undefined) return Object.entries(table);
  const wanted = new Set(names.split(',').map((name) => name.trim()));
  const unknown = [...wanted].filter((name) => !Object.hasOwn(table, name));
  if (unknown.length > 0) {
    throw new Error(`There is no ${unknown.join(', ')}. Choose from: ${Object.keys(table).join(', ')}`);
  }
  return Object.entries(table).filter(([name]) => wanted.has(name));
}
