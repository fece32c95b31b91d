import * as z from 'zod/mini';
import type { FieldError } from '#shared/base/field-error.ts';
import { isObject } from '#shared/base/json.ts';
import type { UrlFault } from '#shared/egress/url-rules.ts';
import { dateTime, describeComponent, readOnlyMembers } from '#shared/http/members.ts';
import type { RawJson } from '#shared/http/response-body.ts';
import { flowCategories, flowCategoryIds, flowStatuses, flowStatusIds } from './catalogue.ts';
import type { FlowMetadata, FlowMetadataChanges } from './flow.ts';

/** Flow JSON: an object with any members, even `__proto__`. A request has it parsed; a response has its text. */
export const flowJsonSchema = z.custom<Record<string, unknown>, RawJson>(isObject, { params: { rule: 'object' } });
z.globalRegistry.add(flowJsonSchema, { type: 'object', additionalProperties: true });

const codedValue = <Id extends number, Code extends string>(ids: readonly Id[], codes: readonly Code[]) =>
  z.object({ id: z.literal(ids), code: z.enum(codes), description: z.string() });

export const categorySchema = codedValue(flowCategoryIds, Object.values(flowCategories));

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

/** Which number stands for which status or category. */
export const statusNumbers = '0 `UNKNOWN`, 1 `DRAFT`, 2 `PUBLISHED`, 3 `DEPRECATED`, 4 `BLOCKED`, 5 `THROTTLED`';
export const categoryNumbers =
  '1 `SIGN_UP`, 2 `SIGN_IN`, 3 `APPOINTMENT_BOOKING`, 4 `LEAD_GENERATION`, 5 `CONTACT_US`, 6 `CUSTOMER_SUPPORT`, 7 `SURVEY`, 8 `OTHER`';

export const flowTexts = () => ({
  id: 'Id of the Flow.',
  wa_id: 'Id of the Flow on the messaging platform.',
  status: 'The status of the Flow.',
  'status.id': `The id of the status: ${statusNumbers}.`,
  'status.code': 'The code of the status. It never changes with the language.',
  'status.description': 'The name of the status in the language of the response.',
  version: 'The version of the Flow JSON that the messaging platform reports; `null` until it reports one.',
  name: 'The name of the Flow.',
  categories: 'The categories of the Flow.',
  'categories[].id': `The id of the category: ${categoryNumbers}.`,
  'categories[].code': 'The code of the category. It never changes with the language.',
  'categories[].description': 'The name of the category in the language of the response.',
  json: 'The Flow JSON: screens and components. Empty on a new Flow.',
  endpoint_encrypted: 'Whether the customer holds the private key of the endpoint and decrypts the exchanges.',
  endpoint_url: 'The URL of the endpoint of a dynamic Flow; `null` without one.',
  created_at: 'When the Flow was created.',
  updated_at: 'When the Flow was last changed.',
});
/* @__PURE__ */ describeComponent('Flow', flowSchema, flowTexts);

/** What the upstream found in the Flow JSON. The draft is stored, but it cannot be published until it is corrected. */
const validationError = z.looseObject({ error: z.string(), message: z.string() });
/* @__PURE__ */ describeComponent('ValidationError', validationError, () => ({
  error: "The platform's code of the error.",
  message: 'What is wrong.',
}));

export const validatedFlowSchema = z.object({ ...flowSchema.shape, validation_errors: z.array(validationError) });
/* @__PURE__ */ describeComponent('ValidatedFlow', validatedFlowSchema, () => ({
  ...flowTexts(),
  validation_errors: 'What the messaging platform found wrong with the Flow JSON; empty if nothing.',
}));

/** The upstream's own console and AWS's API for WhatsApp stop at 200. */
const maxNameLength = 200;

const name = z.string().check(
  z.refine((text) => text.isWellFormed(), { params: { rule: 'well_formed' } }),
  z.refine((text) => text.trim() !== '', { params: { rule: 'required' } }),
  z.maxLength(maxNameLength),
);

const categoryId = z.literal(flowCategoryIds);

/** A category as responses have it. */
const shownCategory = z.pipe(
  z.union([categoryId, z.strictObject({ ...readOnlyMembers(categorySchema.shape), id: categoryId })]),
  z.transform((value) => (typeof value === 'object' ? value.id : value)),
);

const listOf = <S extends z.ZodMiniType<number>>(category: S) =>
  z.array(category).check(
    z.minLength(1),
    z.refine((list) => new Set(list).size === list.length, { params: { rule: 'distinct' } }),
  );

const maxUrlLength = 2_000;

const customerUrl = z.string().check(z.maxLength(maxUrlLength));
z.globalRegistry.add(customerUrl, { format: 'uri' });

const members = {
  name,
  categories: listOf(categoryId),
  endpoint_url: z.optional(z.nullable(customerUrl)),
  endpoint_encrypted: z.optional(z.boolean()),
};

const memberTexts = () => ({
  name: 'The name of the Flow: at most 200 characters.',
  categories: `The ids of at least one category, each once: ${categoryNumbers}.`,
  endpoint_url:
    'The `https` URL of the endpoint of a dynamic Flow. `null` for a Flow without one, which is the default of a new Flow; an update without this member keeps the endpoint. An update with `null` removes it, here and on the messaging platform. If the platform rejects that, nothing changes (`400`); if it keeps the endpoint all the same, so does this service, as the response shows.',
  endpoint_encrypted:
    'Whether you hold the private key of the endpoint and decrypt the exchanges. If `false`, this service holds the key and sends you plain JSON. Required with an `endpoint_url`. `true` is the default of a Flow without one; an update without both members keeps this one.',
});

const saysWhoHoldsTheKey = z.refine<Pick<z.output<typeof newFlow>, 'endpoint_url' | 'endpoint_encrypted'>>(
  (body) => typeof body.endpoint_url !== 'string' || body.endpoint_encrypted !== undefined,
  {
    path: ['endpoint_encrypted'],
    params: { rule: 'required_with', other: 'endpoint_url' },
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
);

export const newFlow = z.strictObject(members).check(saysWhoHoldsTheKey);
/* @__PURE__ */ describeComponent('FlowMetadata', newFlow, memberTexts);

/** The body of an update request, which may be a Flow as it was read. */
export const flowChanges = z
  .strictObject({ ...readOnlyMembers(validatedFlowSchema.shape), ...members, categories: listOf(shownCategory) })
  .check(saysWhoHoldsTheKey);
/* @__PURE__ */ describeComponent('FlowMetadataChanges', flowChanges, () => ({
  ...memberTexts(),
  categories: `${memberTexts().categories} An object with the \`id\`, as responses have it, stands for its id.`,
  'categories[].id': 'The id of the category.',
  json: 'The Flow JSON as it is stored. Another one is rejected.',
}));

/** Checks the body's `endpoint_url` as a URL. Which addresses are permitted depends on the deployment. */
export function endpointUrlErrors(
  { endpoint_url }: Readonly<Record<string, unknown>>,
  faultOf: (url: string) => UrlFault | undefined,
): FieldError[] {
  const fault = typeof endpoint_url === 'string' ? faultOf(endpoint_url) : undefined;
  if (fault === undefined) return [];
  return [{ field: 'endpoint_url', rule: `url_${fault}`, values: {} }];
}

type FlowBody = z.output<typeof newFlow>;

/** Returns the metadata of a new Flow; omitted members get their defaults. */
export function metadataFrom(body: FlowBody): FlowMetadata {
  return {
    name: body.name,
    categories: body.categories,
    endpoint_url: body.endpoint_url ?? null,
    endpoint_encrypted: body.endpoint_encrypted ?? true,
  };
}

/** Returns what an update changes. Omitted members keep their values, except that no endpoint means the default key. */
export function metadataChangesFrom({
  name,
  categories,
  endpoint_url,
  endpoint_encrypted,
}: FlowBody): FlowMetadataChanges {
  const encrypted = endpoint_encrypted ?? (endpoint_url === null ? true : undefined);
  return {
    name,
    categories,
    ...(endpoint_url !== undefined && { endpoint_url }),
    ...(encrypted !== undefined && { endpoint_encrypted: encrypted }),
  };
}
