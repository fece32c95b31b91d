import { readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, loadavg, platform } from 'node:os';

/** One measured figure. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** The upper limit. A figure without one is for information only. */
  budget?: number;
}

/** The machine's load when the measurement began. */
const loadBefore = loadavg()[0] ?? Number.NaN;

const readme = new URL('./README.md', import.meta.url);

/** The parts of the README between markers, and the script that writes each. */
const parts = { figures: 'bench', soak: 'soak' } as const;

/** Renders the figures as a Markdown table, with a description of the machine. */
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

/** Writes a text into the README, between its markers. */
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
