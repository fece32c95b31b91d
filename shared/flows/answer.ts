import type { Language } from '../language/language.ts';
import { ServiceError } from '../service-error.ts';
import type { FlowContext } from './change-flow.ts';
import { type FlowRecord, isLive } from './flow.ts';
import { type FlowObject, presentFlow } from './present.ts';
import { flowTexts } from './texts.ts';

/** The Flow object of a Flow that a request read or changed; `not-found` when it is gone or not to be seen yet. */
export async function flowAnswer(
  flow: FlowRecord | undefined,
  language: Language,
  context: FlowContext,
): Promise<FlowObject> {
  const shown = await readWithJson(flow, context);
  if (!shown) throw new ServiceError('not-found', flowTexts.notFound);
  return presentFlow(shown.flow, shown.text, language);
}

/** The Flow with its JSON text, read once more when a newer text replaced it between the two reads. */
export async function readWithJson(flow: FlowRecord | undefined, context: FlowContext) {
  for (let current = flow, tries = 0; current && isLive(current) && tries < 3; tries++) {
    const text = await context.flowJson.read(current.json);
    if (text !== undefined) return { flow: current, text };
    current = await context.flows.get(current.workspace, current.id);
  }
  return undefined;
}
