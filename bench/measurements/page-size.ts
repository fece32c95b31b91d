import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildPage } from '#infra/build-page.ts';
import { previewAssets } from '#shared/http/previews/assets.ts';
import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';

/** Measures what a browser downloads for the preview page, as the service sends it, and for the console: gzipped. */
export async function measurePageSizes({ functionsDirectory }: Build): Promise<Figure[]> {
  const folder = join(functionsDirectory, 'get-preview-asset', 'assets/');
  const { names, read } = previewAssets(pathToFileURL(folder));
  const kilobytes = (file: string) => (read(file)?.gzipped.length ?? Number.NaN) / 1024;
  const { script, style } = names();
  return [
    { what: "Preview page's script, gzipped", value: kilobytes(script), unit: 'KB', budget: 28 },
    { what: "Preview page's styles, gzipped", value: kilobytes(style), unit: 'KB', budget: 8 },
    { what: "Console's script, gzipped", value: await consoleScript(), unit: 'KB', budget: 60 },
  ];
}

/** It is built here, because only the local world has it. */
async function consoleScript(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'console-'));
  try {
    await buildPage('console', folder);
    const script = (await readdir(folder)).find((name) => name.endsWith('.js')) ?? '';
    return gzipSync(await readFile(join(folder, script))).length / 1024;
  } finally {
    await rm(folder, { recursive: true });
  }
}
