import * as z from 'zod/mini';
import { isObject } from '#shared/base/json/json-object.ts';
import { flowCategories, flowCategoryIds, flowStatuses, flowStatusIds } from '#shared/domain/flows/catalogue.ts';
import { describeComponent } from '../contract/contract.ts';
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

/** The Flow object of the response to new Flow JSON. */
export const validatedFlowSchema = z.object({ ...flowSchema.shape, validation_errors: z.array(validationError) });
/* @__PURE__ */ describeComponent('ValidatedFlow', validatedFlowSchema, () => ({
  ...flowTexts(),
  validation_errors: 'What the messaging platform found wrong with the Flow JSON; empty if nothing.',
}));
