import { visible, visibleLine } from '#shared/base/text.ts';

type Scalar = string | number | boolean | null;
export type Row = Readonly<Record<string, Scalar>>;
type Rows = readonly Row[];

/** What a command found or did. */
export interface Result {
  /** Rows, or one object whose lists are rows. */
  value: Rows | Readonly<Record<string, Scalar | Rows>>;
  /** The value as text for people, if rows and fields are not the best form. */
  text?: string;
  /** A sentence for people. JSON output leaves it out. */
  note?: string;
  /** A check found a problem: the exit code is 1. */
  hasFindings?: boolean;
}

/** Prints the result and returns the exit code: findings make it 1, so that scripts notice them. */
export function print(result: Result, asJson = false): number {
  console.log(asJson ? renderJson(result) : renderText(result));
  return result.hasFindings ? 1 : 0;
}

export function renderJson({ value }: Result): string {
  return visible(JSON.stringify(value, undefined, 2));
}

export function renderText({ value, text, note }: Result): string {
  const parts = text === undefined ? renderValue(value) : [text];
  return visible((note === undefined ? parts : [...parts, note]).join('\n\n'));
}

const renderValue = (value: Result['value']) => (isRows(value) ? [renderRows(value)] : renderObject(value));

/** The fields, and below them the lists. */
function renderObject(object: Readonly<Record<string, Scalar | Rows>>): string[] {
  const fields: string[][] = [];
  const lists: string[] = [];
  for (const [name, value] of Object.entries(object)) {
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
  return visibleLine(String(value));
}

/** Pads cells so that columns line up. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
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
