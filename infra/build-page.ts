import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { minify } from '@swc/core';
import { build } from 'esbuild';

const web = join(import.meta.dirname, '../web');

/** The pages, each a folder of `web`. */
export type PageName = 'preview' | 'console' | 'sheet';

/** Bundles the script and the style of a page into a folder; their names change with their content. */
export async function buildPage(page: PageName, outdir: string): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: join(web, page),
    entryPoints: [`${page}.tsx`, `${page}.css`],
    outdir,
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: [join(web, 'jsx.ts')],
    // The configuration for the type checker would make a function create each element, with its children among the
    // properties.
    tsconfigRaw: {},
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  // The names change with the content, so the files of an earlier build would stay.
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  await Promise.all(outputFiles.map(({ path, text }) => writeNamed(path, text)));
}

async function writeNamed(path: string, text: string): Promise<void> {
  const { dir, name, ext } = parse(path);
  const content = ext === '.js' ? await minifyAgain(text) : text;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  await writeFile(join(dir, `${name}-${hash}${ext}`), content);
}

/** swc removes about 3% more of the script than esbuild alone. */
async function minifyAgain(script: string): Promise<string> {
  const { code } = await minify(script, { module: true, compress: { passes: 3 }, mangle: true });
  return code;
}
