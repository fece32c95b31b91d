import { join } from 'node:path';
import { build } from 'esbuild';
import { COMPONENTS } from '../shared/flow-json/components.ts';

/** Bundles the preview page's script and style into a folder; their names change with their content. */
export async function buildPreview(outdir: string): Promise<void> {
  await build({
    absWorkingDir: join(import.meta.dirname, 'preview'),
    entryPoints: ['preview.tsx', 'preview.css'],
    entryNames: '[name]-[hash]',
    outdir,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { TEXT_LIMITS: JSON.stringify(textLimits()) },
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** Where phones cut the texts of each component: all that the page needs of a table that is a tenth of its budget. */
function textLimits(): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(COMPONENTS).map(([type, { properties }]) => [
      type,
      Object.fromEntries(
        Object.entries(properties).flatMap(([name, { shape }]) =>
          shape.kind === 'string' && shape.maxChars !== undefined ? [[name, shape.maxChars]] : [],
        ),
      ),
    ]),
  );
}
