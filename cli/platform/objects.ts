import * as z from 'zod/mini';

/*
 * What Graph shows of an app, a business account, a number and a Flow. Graph leaves out what a token may not see and
 * what a version does not know, so every member but the ids is optional. A member of another type counts as absent: one
 * surprise must not hide everything else.
 */

const member = <S extends z.ZodMiniType>(schema: S) => z.catch(z.optional(schema), undefined);
const text = member(z.string());
/** An id or a limit, which Graph writes as a text or as a number. */
const idOrNumber = member(
  z.pipe(
    z.union([z.string(), z.number()]),
    z.transform((value) => String(value)),
  ),
);
const list = <S extends z.ZodMiniType>(schema: S) => member(z.array(schema));

const graphErrorSchema = z.object({ code: member(z.number()), subcode: member(z.number()), message: text });

/** An access token, as `debug_token` shows it. Times are seconds since 1970; 0 means never. */
export const tokenInfoSchema = z.object({
  app_id: idOrNumber,
  application: text,
  is_valid: member(z.boolean()),
  expires_at: member(z.number()),
  data_access_expires_at: member(z.number()),
  scopes: list(z.string()),
  /** Without `target_ids`, a scope holds for everything that the user may see. */
  granular_scopes: list(z.object({ scope: z.string(), target_ids: list(z.string()) })),
  error: member(graphErrorSchema),
});
export type TokenInfo = z.infer<typeof tokenInfoSchema>;

export const appSchema = z.object({ id: z.string(), name: text });

/** Fields are objects with a version, or plain names in older versions of Graph. */
const fieldName = z.pipe(
  z.union([z.string(), z.object({ name: z.string() })]),
  z.transform((field) => (typeof field === 'string' ? field : field.name)),
);

/** A subscription of an app to one kind of object. */
export const subscriptionSchema = z.object({
  object: z.string(),
  callback_url: text,
  active: member(z.boolean()),
  fields: z._default(z.array(fieldName), []),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/** An app that gets the events of a business account, and where the account sends them instead of to the app's callback. */
export const subscribedAppSchema = z.pipe(
  z.object({ whatsapp_business_api_data: member(z.object({ id: idOrNumber })), override_callback_uri: text }),
  z.transform(({ whatsapp_business_api_data: app, override_callback_uri: callback }) => ({ id: app?.id, callback })),
);
export type SubscribedApp = z.output<typeof subscribedAppSchema>;

const healthErrorSchema = z.object({
  error_code: member(z.number()),
  error_description: text,
  possible_solution: text,
});

/** Whether Graph would send messages, and what keeps it from sending (Meta, "Messaging and Calling Health Status"). */
const healthStatusSchema = z.object({
  /** `AVAILABLE`, `LIMITED` or `BLOCKED`. */
  can_send_message: text,
  entities: list(
    z.object({
      entity_type: text,
      can_send_message: text,
      errors: list(healthErrorSchema),
      additional_info: list(z.string()),
    }),
  ),
});

export const businessAccountSchema = z.object({
  id: z.string(),
  account_review_status: text,
  business_verification_status: text,
  health_status: member(healthStatusSchema),
});
export type BusinessAccount = z.infer<typeof businessAccountSchema>;

export const phoneNumberSchema = z.object({
  id: z.string(),
  verified_name: text,
  display_phone_number: text,
  /** `CONNECTED` once it is registered; `PENDING`, `FLAGGED`, `RESTRICTED`, `DISCONNECTED` and others. */
  status: text,
  quality_rating: text,
  code_verification_status: text,
  name_status: text,
  /** `CLOUD_API` once it is registered, `NOT_APPLICABLE` before. */
  platform_type: text,
  account_mode: text,
  is_pin_enabled: member(z.boolean()),
  health_status: member(healthStatusSchema),
  /** Where the events of the number go, if it has a callback of its own. */
  webhook_configuration: member(z.object({ phone_number: text })),
});
export type PlatformNumber = z.infer<typeof phoneNumberSchema>;

/** A number in the list of its account. */
export const namedNumberSchema = z.object({ id: z.string(), display_phone_number: text });

export const platformFlowSchema = z.object({
  id: z.string(),
  status: text,
  json_version: text,
  data_api_version: text,
  endpoint_uri: text,
  health_status: member(healthStatusSchema),
});

/** The names of a schema's members, as the parameter `fields` asks for them. */
export const fieldsOf = ({ shape }: { shape: object }): string => Object.keys(shape).join(',');
