import { expect, it } from 'vitest';
import { draft } from '#test/support/fake-flow-context.ts';
import type { FlowRecord, StoredJson } from './flow.ts';
import { readWithJson } from './read-with-json.ts';

const older = { ...draft, json: { item: 'older', bytes: 2 } };
const newer = { ...draft, name: 'Newer', json: { item: 'newer', bytes: 2 } };

/** A Flow whose older text has already been deleted. */
const reader = (current: FlowRecord | undefined) => ({
  flows: { get: async () => current },
  flowJson: { read: async (json: StoredJson) => ('item' in json && json.item === 'newer' ? '{}' : undefined) },
});

it('reads the Flow once more when its text was replaced since', async () => {
  expect(await readWithJson(older, reader(newer))).toEqual({ flow: newer, text: '{}' });
});

it('finds nothing when the Flow was deleted since', async () => {
  expect(await readWithJson(older, reader(undefined))).toBeUndefined();
});

it('does not read a text for ever that cannot be found', async () => {
  expect(await readWithJson(older, reader(older))).toBeUndefined();
});
