import type * as z from 'zod/mini';
import { ServiceError } from '#shared/base/service-error.ts';
import { timestamp } from '#shared/base/time.ts';
import type { Language } from '#shared/http/language.ts';
import { RawJson } from '#shared/http/response-body.ts';
import type { FlowRecord, LiveFlow } from './flow.ts';
import { type FlowReader, readWithJson } from './read-with-json.ts';
import type { flowSchema } from './schema.ts';
import { toCategoryObject, toStatusObject } from './texts.ts';

export type FlowObject = z.input<typeof flowSchema>;

export function toFlowObject(flow: LiveFlow, jsonText: string, language: Language): FlowObject {
  const { endpoint_encrypted, endpoint_url, created_at, updated_at, ...members } = flowMembers(flow, language);
  return { ...members, json: new RawJson(jsonText), endpoint_encrypted, endpoint_url, created_at, updated_at };
}

export function flowMembers(flow: LiveFlow, language: Language): Omit<FlowObject, 'json'> {
  return {
    id: flow.id,
    wa_id: flow.wa_id,
    status: toStatusObject(flow.status, language),
    version: flow.version,
    name: flow.name,
    categories: flow.categories.map((id) => toCategoryObject(id, language)),
    endpoint_encrypted: flow.endpoint_encrypted,
    endpoint_url: flow.endpoint_url,
    created_at: timestamp(flow.created_at),
    updated_at: timestamp(flow.updated_at),
  };
}

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

const becameDraft = 'published_flow_became_draft';

/** Documents the response header of operations that edit a Flow. */
export const editWarningHeader = {
  'X-Warning': `\`${becameDraft}\` if the edit took a published Flow offline: it is a draft until you publish it again (docs/sending.md). Otherwise absent`,
} as const;

export function warnOfDraft(
  before: Pick<FlowRecord, 'status'>,
  after: Pick<FlowRecord, 'status'> | undefined,
  addHeader: (name: string, value: string) => void,
): void {
  if (before.status === 'PUBLISHED' && after?.status === 'DRAFT') addHeader('x-warning', becameDraft);
}
