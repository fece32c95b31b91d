import * as z from 'zod/mini';
import { dateTime, pageLimit, pageMembers } from '../http/schemas.ts';
import { isCustomerUrl, maxUrlLength } from '../urls.ts';
import { type FlowCategoryId, flowCategories, flowStatuses } from './catalogue.ts';

/** The specification fixes no length; the upstream's own console and AWS's API stop at 200. */
const maxNameLength = 200;

const ids = (table: object) => Object.keys(table).map(Number) as [number, ...number[]];
const statusIds = Object.values(flowStatuses).map((status) => status.id) as [number, ...number[]];
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON object of any members, handed on as it was parsed, `__proto__` and all. */
const jsonObject = z.custom<Record<string, unknown>>(isObject, { params: { rule: 'object' } });
z.globalRegistry.add(jsonObject, { type: 'object', additionalProperties: true });

const codedValue = (codes: readonly string[], codeIds: [number, ...number[]]) =>
  z.object({ id: z.literal(codeIds), code: z.enum(codes as [string, ...string[]]), description: z.string() });

const flowMembers = {
  id: z.uuid(),
  wa_id: z.string(),
  status: codedValue(Object.keys(flowStatuses), statusIds),
  version: z.nullable(z.string()),
  name: z.string(),
  categories: z.array(
    codedValue(
      Object.values(flowCategories).map(({ code }) => code),
      ids(flowCategories),
    ),
  ),
  json: jsonObject,
  endpoint_encrypted: z.boolean(),
  endpoint_url: z.nullable(z.string()),
  created_at: dateTime,
  updated_at: dateTime,
};

/** The Flow object of every answer. */
export const flowSchema = z.object(flowMembers);
z.globalRegistry.add(flowSchema, { id: 'Flow' });

/** What the upstream found in the Flow JSON; the draft is stored all the same and cannot be published until mended. */
const validationError = z.looseObject({ error: z.string(), message: z.string() });
z.globalRegistry.add(validationError, { id: 'ValidationError' });

/** The answer to a content update. */
export const validatedFlowSchema = z.object({ ...flowMembers, validation_errors: z.array(validationError) });
z.globalRegistry.add(validatedFlowSchema, { id: 'ValidatedFlow' });

const name = z.string().check(
  z.refine((text) => text.isWellFormed(), { params: { rule: 'well_formed' } }),
  z.refine((text) => text.trim() !== '', { params: { rule: 'required' } }),
  z.maxLength(maxNameLength),
);

const categoryIds = z.array(z.literal(ids(flowCategories) as [FlowCategoryId, ...FlowCategoryId[]])).check(
  z.minLength(1),
  z.refine((list) => new Set(list).size === list.length, { params: { rule: 'distinct' } }),
);

const customerUrl = z.string().check(
  z.maxLength(maxUrlLength),
  z.refine((text) => isCustomerUrl(text), { params: { rule: 'url' } }),
);
z.globalRegistry.add(customerUrl, { format: 'uri' });

/** Body of create and of update. */
export const flowBody = z
  .object({
    name,
    categories: categoryIds,
    endpoint_url: z.optional(z.nullable(customerUrl)),
    endpoint_encrypted: z.optional(z.boolean()),
  })
  .check(
    z.refine((body) => typeof body.endpoint_url !== 'string' || body.endpoint_encrypted !== undefined, {
      path: ['endpoint_encrypted'],
      params: { rule: 'required_with', other: 'endpoint_url' },
      when: ({ value }) => isObject(value),
    }),
  );
z.globalRegistry.add(flowBody, { id: 'FlowMetadata' });

/** Body of a content update. */
export const flowJsonBody = z.object({ json: jsonObject });

/** Body of a preview. */
export const previewBody = z.object({
  number: z.uuid().check(z.toLowerCase()),
  valid_until: z.int().check(z.gte(1), z.lte(6)),
  invalidate_previous: z.optional(z.boolean()),
});
z.globalRegistry.add(previewBody, { id: 'PreviewRequest' });

/** The Preview object. */
export const previewSchema = z.object({
  id: z.uuid(),
  url: z.url(),
  secret: z.string().check(z.regex(/^\d{6}$/)),
  valid_until: dateTime,
  created_at: dateTime,
  updated_at: dateTime,
});
z.globalRegistry.add(previewSchema, { id: 'Preview' });

const digits = (pattern: RegExp) => z.string().check(z.regex(pattern));

/** Query of the list. */
export const flowListQuery = z.object({
  status: z.optional(z.pipe(z.pipe(digits(/^\d$/), z.transform(Number)), z.literal(statusIds))),
  limit: z.optional(pageLimit),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});

/** One page of Flows. */
export const flowPageSchema = z.object({ data: z.array(flowSchema), ...pageMembers });
z.globalRegistry.add(flowPageSchema, { id: 'FlowPage' });
