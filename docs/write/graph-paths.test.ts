import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { graphPathsPage } from './graph-paths.ts';

it('docs/graph-paths.md is what `npm run graph-paths` writes', async () => {
  expect(await readFile(new URL('../graph-paths.md', import.meta.url), 'utf8')).toBe(graphPathsPage());
});
