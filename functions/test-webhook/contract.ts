import * as z from 'zod/mini';
import { defineContract } from '../../shared/http/contract.ts';

const result = z.object({ success: z.boolean(), status: z.nullable(z.int()), duration_ms: z.int() });

export const contract = defineContract({
  name: 'test-webhook',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/service-webhook',
  summary: 'Send a test notification now',
  description:
    'An incoming text message `Beep Beep!`, signed, sent once and kept in the log. `status` is null when there was no answer.',
  tag: 'Webhooks',
  caller: 'number-user',
  answers: { 200: { description: 'What the receiver answered', body: result } },
  errors: { 422: 'No `webhook` is set' },
  uses: {
    table: ['BatchGetItem', 'PutItem', 'Query'],
    reads: ['NUMBER#', 'TOKEN#', 'WORKSPACE#'],
    writes: ['DELIVERIES#'],
    outgoing: true,
  },
});
