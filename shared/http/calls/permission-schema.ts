import * as z from 'zod/mini';
import { describeComponent } from '../contract/contract.ts';

const limit = z.object({ time_period: z.string(), max_allowed: z.int(), current_usage: z.int() });

const action = z.object({ action_name: z.string(), can_perform_action: z.boolean(), limits: z.array(limit) });

const permission = z.object({ status: z.string(), expiration_time: z.int() });

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
/* @__PURE__ */ describeComponent('CallPermission', callPermissionSchema, () => ({
  number: 'The two sides of the calls.',
  'number.uuid': 'Id of the number.',
  'number.waba_id': 'Id of the business account on the messaging platform.',
  'number.user_wa_id': "The contact's id on the messaging platform, as in the request; absent with `recipient`.",
  'number.recipient': 'The user id of the contact, as in the request; absent with `user_wa_id`.',
  'number.to': 'The number that calls are placed from.',
  calling: 'What the number may do with the contact.',
  'calling.messaging_product': 'Always `whatsapp`.',
  'calling.permission': 'Whether the contact permits calls.',
  'calling.permission.status': '`no_permission`, `temporary` or `permanent`; the platform may add others.',
  'calling.permission.expiration_time':
    'When the permission expires, in Unix seconds; `0` unless the permission is temporary.',
  'calling.actions': 'The actions and their limits.',
  'calling.actions[].action_name': '`send_call_permission_request` or `start_call`.',
  'calling.actions[].can_perform_action': 'Whether the action can be performed now.',
  'calling.actions[].limits': 'The limits of the action.',
  'calling.actions[].limits[].time_period': 'ISO 8601 duration: `PT24H` (24 hours) or `P7D` (7 days).',
  'calling.actions[].limits[].max_allowed': 'How often the action may be performed in the period.',
  'calling.actions[].limits[].current_usage': 'How often the action has been performed in the current period.',
}));
