import { type FlowRecord, isLive, type LiveFlow } from './flow.ts';
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
