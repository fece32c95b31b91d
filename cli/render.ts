type Scalar = string | number | boolean | null;
export type Row = Readonly<Record<string, Scalar>>;
type Rows = readonly Row[];

/** What a command found or did. */
export interface Result {
  /** Rows, or one thing whose own lists are rows again. */
  value: Rows | Readonly<Record<string, Scalar | Rows>>;
  /** A sentence for people; scripts do not get it. */
  note?: string;
  /** What was looked for is there: the exit code says so. */
  hasFindings?: boolean;
}

export function renderJson({ value }: Result): string {
  return JSON.stringify(value, undefined, 2);
}

export function renderText({ value, note }: Result): string {
  const parts = isRows(value) ? [renderRows(value)] : renderThing(value);
  return (note === undefined ? parts : [...parts, note]).join('\n\n');
}

/** Its fields, and below them its lists. */
function renderThing(thing: Readonly<Record<string, Scalar | Rows>>): string[] {
  const fields: string[][] = [];
  const lists: string[] = [];
  for (const [name, value] of Object.entries(thing)) {
    if (isRows(value)) lists.push(`${label(name)}\n${renderRows(value)}`);
    else fields.push([label(name), renderScalar(value)]);
  }
  return [alignColumns(fields).join('\n'), ...lists];
}

function renderRows(rows: Rows): string {
  const [first] = rows;
  if (first === undefined) return 'none';
  const columns = Object.keys(first);
  const cells = rows.map((row) => columns.map((column) => renderScalar(row[column] ?? null)));
  return alignColumns([columns.map((column) => label(column).toUpperCase()), ...cells]).join('\n');
}

function renderScalar(value: Scalar): string {
  if (value === null || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** Lines in which the cells of a column begin below each other. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const label = (name: string) => name.replaceAll('_', ' ');

const isRows = (value: Result['value'] | Scalar | Rows): value is Rows => Array.isArray(value);
