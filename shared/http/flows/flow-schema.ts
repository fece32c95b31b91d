import * as z from 'zod/mini';
import { isObject } from '#shared/base/json/json-object.ts';
import { flowCategories, flowCategoryIds, flowStatuses, flowStatusIds } from '#shared/domain/flows/catalogue.ts';
import type { RawJson } from '../contract/raw-json.ts';
import { dateTime } from '../contract/schemas.ts';

/** Flow JSON: an object with any members, even `__proto__`. A request has it parsed; a response has its text. */
export const flowJsonSchema = z.custom<Record<string, unknown>, RawJson>(isObject, { params: { rule: 'object' } });
z.globalRegistry.add(flowJsonSchema, { type: 'object', additionalProperties: true });

const codedValue = <Id extends number, Code extends string>(ids: readonly Id[], codes: readonly Code[]) =>
  z.object({ id: z.literal(ids), code: z.enum(codes), description: z.string() });

export const categorySchema = codedValue(flowCategoryIds, Object.values(flowCategories));

/** The Flow object of every response. */
export const flowSchema = z.object({
  id: z.uuid(),
  wa_id: z.string(),
  status: codedValue(flowStatusIds, Object.keys(flowStatuses)),
  version: z.nullable(z.string()),
  name: z.string(),
  categories: z.array(categorySchema),
  json: flowJsonSchema,
  endpoint_encrypted: z.boolean(),
  endpoint_url: z.nullable(z.string()),
  created_at: dateTime,
  updated_at: dateTime,
});
z.globalRegistry.add(flowSchema, { id: 'Flow' });

/** What the upstream found in the Flow JSON. The draft is stored, but it cannot be published until it is corrected. */
const validationError = z.looseObject({ error: z.string(), message: z.string() });
z.globalRegistry.add(validationError, { id: 'ValidationError' });

/** The Flow object of the response to new Flow JSON. */
export const validatedFlowSchema = z.object({ ...flowSchema.shape, validation_errors: z.array(validationError) });
z.globalRegistry.add(validatedFlowSchema, { id: 'ValidatedFlow' });
