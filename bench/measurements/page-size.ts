import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { previewAssets } from '#shared/http/previews/assets.ts';
import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';

/** Measures what a browser downloads for the preview page, as the service sends it: gzipped. */
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
