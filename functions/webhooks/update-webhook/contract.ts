import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/descriptions.ts';
import { defineContract } from '#shared/operations/contract.ts';
import { webhookSettingsSchema } from '#shared/webhooks/webhook-settings.ts';
import { workspaceWebhookPath, workspaceWebhookSchema } from '#shared/webhooks/workspace-webhook.ts';

const webhookUrl = z.string().check(z.maxLength(255, 'webhook_length'));
z.globalRegistry.add(webhookUrl, { format: 'uri' });

const url = z.nullable(webhookUrl);
const optionalUrl = z.optional(url);

const body = z.strictObject({ webhook: optionalUrl, secondary_webhook: optionalUrl, calls_webhook: optionalUrl });
/* @__PURE__ */ describeMembers(body, () => ({
  webhook: 'The `https` URL for messages, statuses and errors. `null` removes it; if absent, it stays.',
  secondary_webhook:
    'The `https` URL for a second copy of what goes to `webhook`. `null` removes it; if absent, it stays.',
  calls_webhook: 'The `https` URL for call events. `null` removes it; if absent, it stays.',
}));

export const contract = defineContract({
  name: 'update-webhook',
  method: 'PUT',
  path: '/v2/messaging/numbers/{number}/webhook',
  summary: 'Set, replace or remove the webhook URLs of a number',
  description:
    'An absent member keeps its value, and `null` removes the URL. Each URL must be `https` and resolve to a public address. If the URL of a target changes, its held deliveries go to the new URL, and the response takes a second: then nothing is sent to the old URL any more.',
  tag: 'Webhooks',
  caller: 'number-user',
  body,
  responses: { 200: { description: 'The URLs', body: webhookSettingsSchema } },
  uses: {
    table: { Query: ['SUBSCRIBER#'], UpdateItem: ['SUBSCRIBER#'] },
    queue: true,
    egress: true,
  },
});

const workspaceBody = z.strictObject({ webhook: url });
/* @__PURE__ */ describeMembers(workspaceBody, () => ({
  webhook: 'The `https` URL of the webhook; `null` removes it.',
}));

export const workspaceContract = defineContract({
  ...contract,
  name: 'update-workspace-webhook',
  servedBy: contract.name,
  path: workspaceWebhookPath,
  summary: 'Set, replace or remove the webhook URL of a workspace',
  description:
    'The webhook receives what belongs to no webhook of a number: other fields of the messaging platform, and events of this service. `null` removes the URL. The URL must be `https` and resolve to a public address. If it changes, held deliveries go to the new URL, and the response takes a second: then nothing is sent to the old URL any more.',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  body: workspaceBody,
  responses: { 200: { description: 'The URL', body: workspaceWebhookSchema } },
});
