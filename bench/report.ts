import { readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, loadavg, platform } from 'node:os';

/** One measured figure. One without a limit is for information only. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** The upper limit. */
  budget?: number;
  /** The lower limit. */
  atLeast?: number;
  /** Why this machine has no value. Its limit then counts neither as kept nor as broken. */
  notMeasured?: string;
  /** Why the measurement ended without a value, which breaks its limits. */
  failure?: string;
}

/** The machine's load when the measurement began. */
const loadBefore = loadavg()[0] ?? Number.NaN;

const readme = new URL('README.md', import.meta.url);

/** A figure that this machine cannot provide, with the reason. */
export const notMeasured = (what: string, reason: string): Figure => ({
  what,
  value: Number.NaN,
  unit: '',
  notMeasured: reason,
});

/** A measurement that ended with an error. */
export const failed = (name: string, error: unknown): Figure => ({
  what: `Measurement ${name}`,
  value: Number.NaN,
  unit: '',
  failure: String(error),
});

/** Renders the figures as a Markdown table, with a description of the machine. */
export function table(figures: readonly Figure[]): string {
  const machine = `${availableParallelism()} cores, ${platform()} ${arch()}, Node ${process.versions.node}, load average ${loadBefore.toFixed(2)} before the run`;
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`,
    '',
    '| What | Measured | Budget | Kept |',
    '|---|---:|---:|---|',
    ...figures.map((figure) => `| ${figure.what} | ${measured(figure)} | ${limits(figure)} | ${kept(figure)} |`),
  ].join('\n');
}

/** A figure that is not a number keeps no limit. */
export function isKept({ value, budget, atLeast, notMeasured, failure }: Figure): boolean {
  if (notMeasured !== undefined) return true;
  if (failure !== undefined) return false;
  return (budget === undefined || value <= budget) && (atLeast === undefined || value >= atLeast);
}

/** Writes the table into the README, between its markers. */
export function writeReadme(text: string): void {
  const [begin, end] = ['<!-- figures: written by `npm run bench -- --write` -->', '<!-- /figures -->'];
  const content = readFileSync(readme, 'utf8');
  const [before, after] = [content.indexOf(begin), content.indexOf(end)];
  if (before < 0 || after < before) throw new Error('bench/README.md has lost its markers');
  writeFileSync(readme, `${content.slice(0, before)}${begin}\n\n${text}\n\n${content.slice(after)}`);
}

const measured = ({ value, unit, notMeasured, failure }: Figure) => notMeasured ?? failure ?? `${show(value)} ${unit}`;

function limits({ unit, budget, atLeast }: Figure): string {
  const upper = budget === undefined ? [] : [`≤ ${show(budget)} ${unit}`];
  const lower = atLeast === undefined ? [] : [`≥ ${show(atLeast)} ${unit}`];
  return [...lower, ...upper].join(', ');
}

function kept(figure: Figure): string {
  if (!isKept(figure)) return '**no**';
  if (limits(figure) === '') return '';
  return figure.notMeasured === undefined ? 'yes' : 'not measured';
}

function show(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

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

/** Returns the middle value. Unlike the mean, it ignores a single run that the machine interrupted. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the value that `share` (0 to 1) of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('There is no quantile of nothing');
  return value;
}

/** Measures how long the work takes, in milliseconds. */
export async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
