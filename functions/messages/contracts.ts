import {
  marketingMessage,
  messageForm,
  messageRequest,
  messageResponse,
  sentMessage,
} from '#shared/messages/schema.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const sendMessage = /* @__PURE__ */ defineContract(() => ({
  name: 'send-message',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/messages',
  summary: 'Send a message, or mark one as read',
  description:
    'The body is that of the messaging platform without `messaging_product`, whatever the `type`. The `type` `flow` is our own: it sends a Flow of the workspace by its id. A `200` means that the platform has accepted the message; its statuses arrive at `webhook`. With `status`, the body marks a received message as read (docs/sending.md).',
  tag: 'Messages',
  caller: 'number-user',
  idempotency: 'never-again',
  body: messageRequest,
  formOfBody: messageForm,
  exactNumbers: true,
  responses: { 200: { description: 'The platform has accepted the request', body: messageResponse } },
  throws: ['workspace.no-business-account', 'flow.not-published', 'flow.not-sendable', 'flow.not-sendable-as-draft'],
  uses: {
    table: {
      BatchGetItem: ['UPSTREAM_FLOW#', 'WABA#'],
      GetItem: ['FLOW_JSON#', 'SENT_FLOW#', 'WORKSPACE#'],
      PutItem: ['SENT_FLOW#'],
      Query: ['WORKSPACE#'],
      UpdateItem: ['FUNNEL#', 'SENT_FLOW#'],
      DeleteItem: ['SENT_FLOW#'],
    },
    bucket: { GetObject: ['flows/'], ListBucket: ['flows/'] },
    upstream: 'call',
  },
}));

export const sendMarketingMessage = /* @__PURE__ */ defineContract(() => ({
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
}));
