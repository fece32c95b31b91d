import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { flowJsonReference } from './flow-json.ts';

it('docs/flow-json.md is what `npm run flow-json` writes', async () => {
  expect(await readFile(new URL('../flow-json.md', import.meta.url), 'utf8')).toBe(flowJsonReference());
});
