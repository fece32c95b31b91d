import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { generalCodes } from '#shared/adapters/graph/graph-error.ts';
import { errorPage } from './errors.ts';

const page = await readFile(new URL('../errors.md', import.meta.url), 'utf8');

it('docs/errors.md is what `npm run errors` writes', () => {
  expect(page).toBe(errorPage());
});

describe('docs/errors.md', () => {
  it('names every code that has its meaning for all operations', () => {
    const general = Object.values(generalCodes).flatMap((codes) => [...codes]);
    expect(general.filter((code) => !new RegExp(`\\b${code}\\b`).test(page))).toEqual([]);
  });
});
