import { arch, availableParallelism, loadavg, platform } from 'node:os';
import type { Check } from './checks.ts';

export interface Summary {
  minutes: number;
  seed: number;
  /** The events of the run, in the order of the table. */
  figures: readonly (readonly [what: string, value: number])[];
  checks: readonly Check[];
}

const loadBefore = loadavg()[0] ?? Number.NaN;

/** Renders the figures and the checks as Markdown tables, with a description of the machine. */
export function soakTables({ minutes, seed, figures, checks }: Summary): string {
  const machine = `${availableParallelism()} cores, ${platform()} ${arch()}, Node ${process.versions.node}`;
  return [
    `Run on ${new Date().toISOString().slice(0, 10)} for ${Number(minutes.toFixed(1))} minutes with seed ${seed}: ${machine}, load average ${loadBefore.toFixed(2)} before the run.`,
    '',
    '| What | Count |',
    '|---|---:|',
    ...figures.map(([what, value]) => `| ${what} | ${Math.round(value)} |`),
    '',
    '| Check | Found | Kept |',
    '|---|---:|---|',
    ...checks.map(
      ({ what, found, kept }) => `| ${what} | ${found.replaceAll('|', '\\|')} | ${kept ? 'yes' : '**no**'} |`,
    ),
  ].join('\n');
}
