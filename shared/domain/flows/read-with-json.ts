import type { FlowJsonStore } from '#shared/adapters/dynamodb/flow-json.ts';
import type { FlowStore } from '#shared/adapters/dynamodb/flows.ts';
import { type FlowRecord, isLive, type LiveFlow } from './flow.ts';

export interface FlowWithJson {
  flow: LiveFlow;
  text: string;
}

export interface FlowReader {
  flows: Pick<FlowStore, 'get'>;
  flowJson: Pick<FlowJsonStore, 'read'>;
}

/**
 * The Flow with its JSON text, read once more when a newer text replaced it between the two reads; `undefined` when the
 * Flow is gone.
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
