import { BoundedMap } from '#shared/base/cache.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { type FlowOutline, readOutline } from '#shared/flow-json/response/outline.ts';
import type { LiveFlow } from './flow.ts';
import { type FlowReader, readWithJson } from './read-with-json.ts';

export interface FlowWithOutline {
  flow: LiveFlow;
  outline: FlowOutline;
}

/** Reads the outline of a Flow. Resolves with `undefined` when the Flow no longer exists. */
export type OutlineReader = (flow: LiveFlow) => Promise<FlowWithOutline | undefined>;

/** The number of outlines that a process keeps, each of at most 150 KB of JSON. */
const mostKept = 50;

/**
 * Keeps the outlines of texts that are items of their own: a campaign sends one Flow a thousand times a second, and a
 * partition of the table could not be read as often. A stored text never changes, so what is kept is never stale.
 */
export function outlineReader(reader: FlowReader): OutlineReader {
  const kept = new BoundedMap<string, FlowOutline>(mostKept);

  return async (flow) => {
    const known = 'item' in flow.json ? kept.get(flow.json.item) : undefined;
    if (known) return { flow, outline: known };
    const found = await readWithJson(flow, reader);
    if (!found) return undefined;
    const outline = readOutline(parseJson(found.text));
    if ('item' in found.flow.json) kept.set(found.flow.json.item, outline);
    return { flow: found.flow, outline };
  };
}
