import { BoundedMap } from '#shared/base/cache.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { type FlowOutline, readOutline } from '#shared/flow-json/response/outline.ts';
import type { LiveFlow, StoredJson } from './flow.ts';
import { type FlowReader, readWithJson } from './read-with-json.ts';

export interface FlowWithOutline {
  flow: LiveFlow;
  outline: FlowOutline;
}

/** Reads the outline of a Flow. Resolves with `undefined` when the Flow no longer exists. */
export type OutlineReader = (flow: LiveFlow) => Promise<FlowWithOutline | undefined>;

/** The bytes of JSON whose outlines a process keeps: a hundred texts in items of the table, or a few of the largest. */
const maxKept = 15_000_000;

/**
 * Keeps the outlines of the latest texts that are stored apart from their Flows. A campaign may send one Flow a
 * thousand times a second: a partition of the table cannot be read that often, and a text in the bucket may have 5 MB.
 * A stored text never changes, so its outline is never stale.
 */
export function outlineReader(reader: FlowReader): OutlineReader {
  const kept = new BoundedMap<string, FlowOutline>(maxKept);

  return async (flow) => {
    const cached = kept.get(placeOf(flow.json)?.key ?? '');
    if (cached) return { flow, outline: cached };
    const found = await readWithJson(flow, reader);
    if (!found) return undefined;
    const outline = readOutline(parseJson(found.text));
    const place = placeOf(found.flow.json);
    if (place) kept.set(place.key, outline, place.bytes);
    return { flow: found.flow, outline };
  };
}

/** The permanent key of a text, and its size; `undefined` for a text in the Flow itself. */
function placeOf(json: StoredJson): { key: string; bytes: number } | undefined {
  if ('text' in json) return undefined;
  return { key: 'item' in json ? `item ${json.item}` : `blob ${json.blob}`, bytes: json.bytes };
}
