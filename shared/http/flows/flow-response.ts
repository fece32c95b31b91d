import { ServiceError } from '#shared/domain/errors/service-error.ts';
import type { FlowRecord } from '#shared/domain/flows/flow.ts';
import { type FlowReader, readWithJson } from '#shared/domain/flows/read-with-json.ts';
import type { Language } from '../language/language.ts';
import { type FlowObject, toFlowObject } from './flow-object.ts';

/**
 * Builds the Flow object for a Flow that a request read or changed. Throws `flow.not-found` if it is deleted or not yet
 * visible.
 */
export async function flowResponse(
  flow: FlowRecord | undefined,
  language: Language,
  context: FlowReader,
): Promise<FlowObject> {
  const shown = await readWithJson(flow, context);
  if (!shown) throw new ServiceError('flow.not-found');
  return toFlowObject(shown.flow, shown.text, language);
}
