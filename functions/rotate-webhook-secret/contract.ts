import * as z from 'zod/mini';
import { defineContract } from '../../shared/http/contract.ts';
import { dateTime } from '../../shared/http/schemas.ts';

const signingSecret = z.object({ secret: z.string(), previous_valid_until: z.nullable(dateTime) });

export const contract = defineContract({
  name: 'rotate-webhook-secret',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/secret',
  summary: 'Replace the signing secret of a number',
  description:
    'The only time that it is shown. For 24 hours notifications are signed with the secret before, too; rotated again in that time, only the last two sign.',
  tag: 'Webhooks',
  caller: 'number-user',
  answers: { 200: { description: 'The new secret', body: signingSecret } },
  errors: { 409: 'Another request replaced it at the same moment' },
  uses: { table: ['BatchGetItem', 'GetItem', 'PutItem'] },
});
