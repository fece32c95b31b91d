import { webhookTestSchema } from '../../shared/deliveries/schemas.ts';
import { defineContract } from '../../shared/http/contract.ts';

export const contract = defineContract({
  name: 'test-webhook',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/service-webhook',
  summary: 'Send a test notification now',
  description:
    'An incoming text message `Beep Beep!`, signed, sent once and kept in the log. `status` is null when there was no answer.',
  tag: 'Webhooks',
  caller: 'number-user',
  answers: { 200: { description: 'What the receiver answered', body: webhookTestSchema } },
  errors: { 422: 'No `webhook` is set' },
  uses: { table: ['BatchGetItem', 'PutItem', 'Query'], outgoing: true },
});
