import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { stateDiagrams } from './delivery-states.ts';

it('docs/internals/delivery-states.md is what `npm run diagrams` writes', async () => {
  expect(await readFile(new URL('../internals/delivery-states.md', import.meta.url), 'utf8')).toBe(stateDiagrams());
});
