import * as z from 'zod/mini';
import { callPermissionSchema } from '#shared/http/calls/permission-schema.ts';
import { contactId } from '#shared/http/calls/schemas.ts';
import { defineContract } from '#shared/http/contract.ts';
import { callUses } from '#shared/runtime/call-uses.ts';

export const contract = defineContract({
  name: 'get-call-permission',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/calls/call-permissions',
  summary: 'Look up whether a contact may be called',
  description: 'Always asked of the platform, which allows five look-ups a second.',
  tag: 'Calls',
  caller: 'number-caller',
  query: z.object({ user_wa_id: contactId }),
  answers: { 200: { description: 'The permission, with what is left of the limits', body: callPermissionSchema } },
  errors: {
    400: 'No business account, or refused by the upstream',
    502: 'The upstream failed',
    504: 'The upstream did not answer in time',
  },
  uses: callUses,
});
