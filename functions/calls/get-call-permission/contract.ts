import * as z from 'zod/mini';
import { callUses } from '#functions/calls/call-uses.ts';
import { callPermissionSchema, exactlyOne } from '#shared/calls/schema.ts';
import { describeMembers } from '#shared/http/descriptions.ts';
import { contactId, contactUserId } from '#shared/messages/contact-schema.ts';
import { defineContract } from '#shared/operations/contract.ts';

const query = z
  .strictObject({ user_wa_id: z.optional(contactId), recipient: z.optional(contactUserId) })
  .check(...exactlyOne('user_wa_id', 'recipient'));
/* @__PURE__ */ describeMembers(query, () => ({
  user_wa_id: "The contact's id on the platform, digits only. Required without `recipient`.",
  recipient: 'The user id of a contact whose phone number is unknown, instead of `user_wa_id`.',
}));

export const contract = defineContract({
  name: 'get-call-permission',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/calls/call-permissions',
  summary: 'Look up whether a contact may be called',
  description:
    'Every request queries the platform, which limits look-ups. The contact is `user_wa_id` or, without a phone number, `recipient`: exactly one of the two.',
  tag: 'Calls',
  caller: 'number-caller',
  query,
  responses: { 200: { description: 'The permission and the usage of its limits', body: callPermissionSchema } },
  throws: ['workspace.no-business-account'],
  uses: callUses,
});
