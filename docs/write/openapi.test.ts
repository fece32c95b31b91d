import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openApiYaml } from './openapi.ts';

it('openapi.yaml is what `npm run openapi` writes', async () => {
  expect(await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8')).toBe(openApiYaml());
});
