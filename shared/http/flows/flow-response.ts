import { ServiceError } from '#shared/domain/errors/service-error.ts';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import { type FlowReader, readWithJson } from '#shared/domain/flows/read-with-json.ts';
import type { Language } from '../language/language.ts';
import { type FlowObject, presentFlow } from './present.ts';

/** The Flow object of a Flow that a request read or changed; `not-found` when it is gone or not to be seen yet. */
export async function flowResponse(
  flow: FlowRecord | undefined,
  language: Language,
  context: FlowReader,
): Promise<FlowObject> {
  const shown = await readWithJson(flow, context);
  if (!shown) throw new ServiceError('flow.not-found');
  return presentFlow(shown.flow, shown.text, language);
}
