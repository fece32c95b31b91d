import { expect, it } from 'vitest';
import { draft } from '#support/fakes/fake-flow-context.ts';
import type { FlowRecord, LiveFlow, StoredJson } from './flow.ts';
import { outlineReader, readWithJson } from './read-with-json.ts';

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

const textOf = (screen: string) => JSON.stringify({ screens: [{ id: screen }] });

/** A reader over these texts, by the ids of their items. */
function reading(texts: Record<string, string | undefined>, stored: LiveFlow | undefined = undefined) {
  const reads: StoredJson[] = [];
  const read = async (json: StoredJson) => {
    reads.push(json);
    if ('item' in json) return texts[json.item];
    return 'text' in json ? json.text : texts[json.blob];
  };
  const reader = outlineReader({ flows: { get: async () => stored }, flowJson: { read } });
  const screensOf = async (flow: LiveFlow) => [...((await reader(flow))?.outline.screens.keys() ?? [])];
  return { reads, reader, screensOf };
}

const withItem = (item: string): LiveFlow => ({ ...draft, json: { item, bytes: 2_000 } });

it('a text in a separate item is read once, and again after another one has replaced it', async () => {
  const { reads, screensOf } = reading({ a: textOf('A'), b: textOf('B') });
  expect(await screensOf(withItem('a'))).toEqual(['A']);
  expect(await screensOf(withItem('a'))).toEqual(['A']);
  expect(await screensOf(withItem('b'))).toEqual(['B']);
  expect(reads).toHaveLength(2);
});

it('the Flow is returned as it is now, whatever the state in which its text was read before', async () => {
  const { reader } = reading({ a: textOf('A') });
  await reader(withItem('a'));
  const published = { ...withItem('a'), status: 'PUBLISHED' as const };
  expect((await reader(published))?.flow).toBe(published);
});

it('a text that was replaced since the Flow was read is read with the newer Flow', async () => {
  const newer = withItem('b');
  const { reader } = reading({ b: textOf('B') }, newer);
  expect((await reader(withItem('a')))?.flow).toBe(newer);
});

const withBlob = (blob: string, bytes: number): LiveFlow => ({ ...draft, json: { blob, bytes } });

it('a text in the bucket is read once, too', async () => {
  const { reads, screensOf } = reading({ c: textOf('C') });
  const flow = withBlob('c', 5_000_000);
  expect([await screensOf(flow), await screensOf(flow)]).toEqual([['C'], ['C']]);
  expect(reads).toHaveLength(1);
});

it('no more is kept than a process has room for, and what was used last stays', async () => {
  const { reads, screensOf } = reading({ a: textOf('A'), b: textOf('B'), c: textOf('C'), d: textOf('D') });
  for (const blob of ['a', 'b', 'c', 'a', 'd']) await screensOf(withBlob(blob, 5_000_000));
  expect(reads).toHaveLength(4);
  await screensOf(withBlob('a', 5_000_000));
  expect(reads).toHaveLength(4);
  await screensOf(withBlob('b', 5_000_000));
  expect(reads).toHaveLength(5);
});

it('a text in the Flow itself needs no memory', async () => {
  const { screensOf } = reading({});
  expect(await screensOf({ ...draft, json: { text: textOf('D') } })).toEqual(['D']);
  expect(await screensOf({ ...draft, json: { text: textOf('E') } })).toEqual(['E']);
});

it('a Flow that was deleted before its text is read has no outline', async () => {
  expect(await reading({}).reader(withItem('a'))).toBeUndefined();
});
