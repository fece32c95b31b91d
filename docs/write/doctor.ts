/** Writes the table of doctor's checks into `docs/operating.md`: `npm run doctor-checks`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { checks } from '#cli/doctor/checks.ts';

const page = new URL('../operating.md', import.meta.url);
const begin = '<!-- doctor: written by `npm run doctor-checks` -->';
const end = '<!-- /doctor -->';

/** The page with the table between its markers. */
export function withChecks(text: string): string {
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error('docs/operating.md has lost its markers');
  return `${text.slice(0, before)}${begin}\n\n${table()}\n\n${text.slice(after)}`;
}

function table(): string {
  const rows = Object.entries(checks).map(([name, { says }]) => `| \`${name}\` | ${says} |`);
  return ['| Check | Doctor speaks up if |', '|---|---|', ...rows].join('\n');
}

if (import.meta.main) writeFileSync(page, withChecks(readFileSync(page, 'utf8')));
