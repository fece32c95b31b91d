import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { functions } from '#functions/operations.ts';
import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';

const shown = 3;

/** Measures the largest bundles that functions load at start. */
export function measureBundleSizes({ functionsDirectory }: Build): Figure[] {
  const { outputs }: Metafile = JSON.parse(readFileSync(join(functionsDirectory, 'metafile.json'), 'utf8'));
  const sizes = functions.map(({ name }) => ({
    name,
    bytes: Object.entries(outputs).find(([file]) => file.endsWith(`/${name}/index.mjs`))?.[1].bytes ?? Number.NaN,
  }));
  return sizes
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, shown)
    .map(({ name, bytes }) => ({ what: `Bundle of ${name}`, value: bytes / 1024, unit: 'KB', budget: 400 }));
}
