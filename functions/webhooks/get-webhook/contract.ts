import { defineContract } from '#shared/operations/contract.ts';
import { webhookSettingsSchema } from '#shared/webhooks/webhook-settings.ts';
import { workspaceWebhookPath, workspaceWebhookSchema } from '#shared/webhooks/workspace-webhook.ts';

export const contract = defineContract({
  name: 'get-webhook',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook',
  summary: 'Read the webhook URLs of a number',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The URLs', body: webhookSettingsSchema } },
  uses: { table: { Query: ['SUBSCRIBER#'] } },
});

export const workspaceContract = defineContract({
  ...contract,
  name: 'get-workspace-webhook',
  servedBy: contract.name,
  path: workspaceWebhookPath,
  summary: 'Read the webhook URL of a workspace',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The URL', body: workspaceWebhookSchema } },
});
