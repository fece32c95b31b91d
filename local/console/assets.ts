import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Asset {
  readonly type: string;
  readonly body: string;
}

const types = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' } as const;

/** Reads the page's script and styles, by their paths, and the page that loads them. */
export async function readAssets(folder: string): Promise<Record<string, Asset>> {
  const names = await readdir(folder);
  const files = names.flatMap((name) => {
    const type = types[name.slice(name.lastIndexOf('.')) as keyof typeof types];
    return type === undefined ? [] : [{ name, type }];
  });
  const assets = await Promise.all(
    files.map(async ({ name, type }) => [`/${name}`, { type, body: await readFile(join(folder, name), 'utf8') }]),
  );
  return { ...Object.fromEntries(assets), '/': { type: 'text/html; charset=utf-8', body: page(names) } };
}

function page(names: readonly string[]): string {
  const find = (ending: string) => names.find((name) => name.endsWith(ending)) ?? '';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local world</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/${find('.css')}">
<script type="module" src="/${find('.js')}"></script>
<div id="console"><noscript>The console needs JavaScript.</noscript></div>
</html>
`;
}
