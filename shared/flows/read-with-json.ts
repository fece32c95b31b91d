import { BoundedMap } from '#shared/base/cache.ts';
import { parseJson } from '#shared/base/json.ts';
import { type FlowOutline, readOutline } from '#shared/flow-json/response/endpoint-response.ts';
import { type FlowRecord, isLive, type LiveFlow, type StoredJson } from './flow.ts';
import type { FlowJsonStore } from './flow-json-store.ts';
import type { FlowStore } from './flow-store.ts';

export interface FlowWithJson {
  flow: LiveFlow;
  text: string;
}

export interface FlowReader {
  flows: Pick<FlowStore, 'get'>;
  flowJson: Pick<FlowJsonStore, 'read'>;
}

/**
 * Reads a Flow's JSON text. If a newer text has replaced it since the Flow was read, both are read again. Resolves with
 * `undefined` when the Flow no longer exists.
 */
export async function readWithJson(
  flow: FlowRecord | undefined,
  { flows, flowJson }: FlowReader,
): Promise<FlowWithJson | undefined> {
  for (let current = flow, tries = 0; current && isLive(current) && tries < 3; tries++) {
    const text = await flowJson.read(current.json);
    if (text !== undefined) return { flow: current, text };
    current = await flows.get(current.workspace, current.id);
  }
  return undefined;
}

type PageReader = FlowReader & { flowJson: Pick<FlowJsonStore, 'read' | 'readAll'> };

/** Reads the JSON texts of up to a hundred Flows, and leaves out Flows that no longer exist. */
export async function readAllWithJson(flows: readonly LiveFlow[], reader: PageReader): Promise<FlowWithJson[]> {
  const texts = await reader.flowJson.readAll(flows.map(({ json }) => json));
  const shown: FlowWithJson[] = [];
  for (const [index, flow] of flows.entries()) {
    const text = texts[index];
    const found = text === undefined ? await readWithJson(flow, reader) : { flow, text };
    if (found) shown.push(found);
  }
  return shown;
}

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
