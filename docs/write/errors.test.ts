import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { errorPage } from './errors.ts';

it('docs/errors.md is what `npm run errors` writes', async () => {
  expect(await readFile(new URL('../errors.md', import.meta.url), 'utf8')).toBe(errorPage());
});
