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
  const { endpoint_encrypted, endpoint_url, created_at, updated_at, ...members } = flowMembers(flow, language);
  return { ...members, json: new RawJson(jsonText), endpoint_encrypted, endpoint_url, created_at, updated_at };
}

/** Builds the API's Flow object without the Flow JSON. */
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
