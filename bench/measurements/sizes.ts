import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metafile } from 'esbuild';
import { functions } from '#functions/operations.ts';
import { previewAssets } from '#shared/previews/preview-assets.ts';
import type { Build } from '../build.ts';
import type { Figure } from '../report.ts';

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

/** Measures what a browser downloads for the preview page, gzipped as the service sends it. */
export function measurePageSizes({ functionsDirectory }: Build): Figure[] {
  const folder = join(functionsDirectory, 'get-preview-asset', 'assets/');
  const { names, read } = previewAssets(pathToFileURL(folder));
  const kilobytes = (file: string) => (read(file)?.gzipped.length ?? Number.NaN) / 1024;
  const { script, style } = names();
  return [
    { what: "Preview page's script, gzipped", value: kilobytes(script), unit: 'KB', budget: 28 },
    { what: "Preview page's styles, gzipped", value: kilobytes(style), unit: 'KB', budget: 8 },
  ];
}
