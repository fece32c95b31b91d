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

const readme = new URL('../README.md', import.meta.url);

/** The parts of the README between markers, and the script that writes each. */
const parts = { figures: 'bench', soak: 'soak' } as const;

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

/** Writes a text into the README, between its markers. */
export function writeReadme(part: keyof typeof parts, text: string): void {
  const begin = `<!-- ${part}: written by \`npm run ${parts[part]} -- --write\` -->`;
  const end = `<!-- /${part} -->`;
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
