import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Asset {
  readonly type: string;
  readonly body: string;
}

const types = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' } as const;

/** The pages of the console by their paths, and the folders of their scripts and styles. */
const pages = { '/': 'console', '/sheet': 'sheet' } as const;

/** Reads the pages with their scripts and styles, by path. */
export async function readAssets(folder: string): Promise<Record<string, Asset>> {
  const read = await Promise.all(Object.entries(pages).map(([path, name]) => readPage(folder, path, name)));
  return Object.fromEntries(read.flat());
}

async function readPage(folder: string, path: string, name: string): Promise<[string, Asset][]> {
  const names = await readdir(join(folder, name)).catch(() => []);
  const assets = await Promise.all(
    names.map(async (file): Promise<[string, Asset]> => {
      const type = file.endsWith('.css') ? types['.css'] : types['.js'];
      return [`/${file}`, { type, body: await readFile(join(folder, name, file), 'utf8') }];
    }),
  );
  return [...assets, [path, { type: 'text/html; charset=utf-8', body: pageWith(names) }]];
}

function pageWith(names: readonly string[]): string {
  const find = (ending: string) => names.find((name) => name.endsWith(ending)) ?? '';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local world</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/${find('.css')}">
<script type="module" src="/${find('.js')}"></script>
<div id="page"><noscript>The console needs JavaScript.</noscript></div>
</html>
`;
}
