import { type FlowObject, presentFlow } from '#shared/http/flows/present.ts';
import type { Language } from '#shared/http/language/language.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { FlowContext } from './change-flow.ts';
import type { FlowRecord, LiveFlow } from './flow.ts';
import { type FlowWithJson, readWithJson } from './read-with-json.ts';

/** The Flow object of a Flow that a request read or changed; `not-found` when it is gone or not to be seen yet. */
export async function flowAnswer(
  flow: FlowRecord | undefined,
  language: Language,
  context: FlowContext,
): Promise<FlowObject> {
  const shown = await readWithJson(flow, context);
  if (!shown) throw new ServiceError('flow.not-found');
  return presentFlow(shown.flow, shown.text, language);
}

/** Flows with their JSON texts, at most a hundred; those that are gone are left out. */
export async function readAllWithJson(flows: readonly LiveFlow[], context: FlowContext): Promise<FlowWithJson[]> {
  const texts = await context.flowJson.readAll(flows.map(({ json }) => json));
  const shown: FlowWithJson[] = [];
  for (const [index, flow] of flows.entries()) {
    const text = texts[index];
    const found = text === undefined ? await readWithJson(flow, context) : { flow, text };
    if (found) shown.push(found);
  }
  return shown;
}
