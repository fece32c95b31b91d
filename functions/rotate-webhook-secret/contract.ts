import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract.ts';
import { dateTime } from '#shared/http/schemas.ts';

const signingSecret = z.object({ secret: z.string(), previous_valid_until: z.nullable(dateTime) });

export const contract = defineContract({
  name: 'rotate-webhook-secret',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/secret',
  summary: 'Replace the signing secret of a number',
  description:
    'The only time that the secret is shown. A secret that is replaced keeps signing for 24 hours, until `previous_valid_until`. At most five replaced secrets sign at a time; a further rotation is refused with `429`.',
  tag: 'Webhooks',
  caller: 'number-user',
  answers: { 200: { description: 'The new secret', body: signingSecret } },
  errors: {
    409: 'Other requests keep changing the number: nothing was replaced',
    429: 'Replaced five times within 24 hours, or too many requests; `Retry-After` says when to try again',
  },
  uses: { table: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'] },
});
