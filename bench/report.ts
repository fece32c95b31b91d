import { readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, loadavg, platform } from 'node:os';

/** One measured figure. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** At most this; without one the figure is for information. */
  budget?: number;
}

/** What else the machine did when the measuring began. */
const loadBefore = loadavg()[0] ?? Number.NaN;

const readme = new URL('./README.md', import.meta.url);

/** What is written between markers, and by which script. */
const parts = { figures: 'bench', soak: 'soak' } as const;

/** The figures as a Markdown table, with what they were measured on. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, unit, budget } = figure;
    const limit = budget === undefined ? '' : `≤ ${show(budget)} ${unit}`;
    const kept = budget === undefined ? '' : isKept(figure) ? 'yes' : '**no**';
    return `| ${what} | ${show(figure.value)} ${unit} | ${limit} | ${kept} |`;
  });
  const machine = `${availableParallelism()} cores, ${platform()} ${arch()}, Node ${process.versions.node}, load average ${loadBefore.toFixed(2)} before the run`;
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`,
    '',
    '| What | Measured | Budget | Kept |',
    '|---|---:|---:|---|',
    ...rows,
  ].join('\n');
}

export function isKept({ value, budget }: Figure): boolean {
  return budget === undefined || value <= budget;
}

/** Puts a text into the README, between its markers. */
export function writeReadme(part: keyof typeof parts, text: string): void {
  const begin = `<!-- ${part}: written by \`npm run ${parts[part]} -- --write\` -->`;
  const end = `<!-- /${part} -->`;
  const content = readFileSync(readme, 'utf8');
  const [before, after] = [content.indexOf(begin), content.indexOf(end)];
  if (before < 0 || after < before) throw new Error('bench/README.md has lost its markers');
  writeFileSync(readme, `${content.slice(0, before)}${begin}\n\n${text}\n\n${content.slice(after)}`);
}

function show(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
