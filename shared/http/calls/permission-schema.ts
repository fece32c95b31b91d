import * as z from 'zod/mini';

const limit = z.object({ time_period: z.string(), max_allowed: z.int(), current_usage: z.int() });

const action = z.object({ action_name: z.string(), can_perform_action: z.boolean(), limits: z.array(limit) });

const permission = z.object({ status: z.string(), expiration_time: z.int() });

const describe = (schema: z.ZodMiniType, description: string) => z.globalRegistry.add(schema, { description });
describe(limit.shape.time_period, 'ISO 8601 duration: `PT24H` or `P7D`');
describe(action.shape.action_name, '`send_call_permission_request` or `start_call`');
describe(permission.shape.status, '`no_permission`, `temporary` or `permanent`; the platform may add others');
describe(permission.shape.expiration_time, 'Unix seconds; 0 unless the permission is temporary');

/** What a number may do with a contact. */
export const callPermissionSchema = z.object({
  number: z.object({
    uuid: z.uuid(),
    waba_id: z.string(),
    user_wa_id: z.optional(z.string()),
    recipient: z.optional(z.string()),
    to: z.string(),
  }),
  calling: z.object({ messaging_product: z.literal('whatsapp'), permission, actions: z.array(action) }),
});
z.globalRegistry.add(callPermissionSchema, { id: 'CallPermission' });
