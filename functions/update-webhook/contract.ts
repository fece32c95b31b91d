import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract.ts';
import { webhookSettingsSchema } from '#shared/http/deliveries/webhook-settings.ts';

const url = z.optional(z.nullable(z.string().check(z.maxLength(255))));

export const contract = defineContract({
  name: 'update-webhook',
  method: 'PUT',
  path: '/v2/messaging/numbers/{number}/webhook',
  summary: 'Set, replace or remove where the notifications of a number go',
  description:
    'What is absent stays, `null` removes. Each URL must be `https` and lead to a public address. What is held for a target whose URL changes goes to the new one.',
  tag: 'Webhooks',
  caller: 'number-user',
  body: z.object({ webhook: url, secondary_webhook: url, calls_webhook: url }),
  answers: { 200: { description: 'The URLs', body: webhookSettingsSchema } },
  uses: {
    table: ['BatchGetItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'],
    reads: ['NUMBER#', 'TOKEN#', 'WORKSPACE#'],
    writes: ['NUMBER#'],
    queue: true,
    outgoing: true,
  },
});
