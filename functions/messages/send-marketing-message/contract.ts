import { marketingMessage, sentMessage } from '#shared/messages/schema.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'send-marketing-message',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/marketing-messages',
  summary: 'Send a marketing template',
  description:
    "The body is that of the messaging platform's API for marketing messages, without `messaging_product`: a template of the category marketing, to one contact. Everything else is as for other messages (docs/sending.md).",
  tag: 'Messages',
  caller: 'number-user',
  idempotency: 'never-again',
  body: marketingMessage,
  exactNumbers: true,
  responses: { 200: { description: 'The platform has accepted the message', body: sentMessage } },
  uses: { upstream: 'call' },
});
