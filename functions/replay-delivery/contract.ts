import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract.ts';

export const contract = defineContract({
  name: 'replay-delivery',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries/{delivery}/replay',
  summary: 'Send a delivery once more',
  description:
    'One attempt soon, with the same id and the same bytes, signed with the current secret. Where an automatic attempt was due, this one takes its place.',
  tag: 'Webhooks',
  caller: 'number-user',
  answers: { 200: { description: 'The attempt is under way', body: z.object({ success: z.boolean() }) } },
  errors: { 400: 'The target has no URL, or does not answer and is to be resumed first' },
  uses: { table: ['BatchGetItem', 'GetItem', 'Query'], queue: true },
});
