import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { withChecks } from './doctor.ts';

it('docs/operating.md has the table of checks that `npm run doctor-checks` writes', async () => {
  const page = await readFile(new URL('../operating.md', import.meta.url), 'utf8');
  expect(page).toBe(withChecks(page));
});
