import type * as z from 'zod/mini';
import { timestamp } from '#shared/base/time/clock.ts';
import type { LiveFlow } from '#shared/domain/flows/flow.ts';
import { RawJson } from '../contract/raw-json.ts';
import { toCategoryObject, toStatusObject } from '../language/flow-names.ts';
import type { Language } from '../language/language.ts';
import type { flowSchema } from './flow-schema.ts';

export type FlowObject = z.input<typeof flowSchema>;

/** Builds the API's Flow object. */
export function toFlowObject(flow: LiveFlow, jsonText: string, language: Language): FlowObject {
  return {
    id: flow.id,
    wa_id: flow.wa_id,
    status: toStatusObject(flow.status, language),
    version: flow.version,
    name: flow.name,
    categories: flow.categories.map((id) => toCategoryObject(id, language)),
    json: new RawJson(jsonText),
    endpoint_encrypted: flow.endpoint_encrypted,
    endpoint_url: flow.endpoint_url,
    created_at: timestamp(flow.created_at),
    updated_at: timestamp(flow.updated_at),
  };
}
