import { expect, it } from 'vitest';
import { draft } from '#support/fakes/fake-flow-context.ts';
import type { FlowRecord, StoredJson } from './flow.ts';
import { readWithJson } from './read-with-json.ts';

const older = { ...draft, json: { item: 'older', bytes: 2 } };
const newer = { ...draft, name: 'Newer', json: { item: 'newer', bytes: 2 } };

/** A Flow whose older text has already been deleted. */
const reader = (current: FlowRecord | undefined) => ({
  flows: { get: async () => current },
  flowJson: { read: async (json: StoredJson) => ('item' in json && json.item === 'newer' ? '{}' : undefined) },
});

it('a Flow is read once more if its text was replaced meanwhile', async () => {
  expect(await readWithJson(older, reader(newer))).toEqual({ flow: newer, text: '{}' });
});

it('a Flow that was deleted meanwhile is not found', async () => {
  expect(await readWithJson(older, reader(undefined))).toBeUndefined();
});

it('a text that cannot be found is not read for ever', async () => {
  expect(await readWithJson(older, reader(older))).toBeUndefined();
});
