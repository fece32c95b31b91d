import { defineContract } from '#shared/http/contract/contract.ts';
import { workspaceWebhookPath, workspaceWebhookSchema } from '#shared/http/deliveries/workspace-webhook.ts';

export const contract = defineContract({
  name: 'get-workspace-webhook',
  method: 'GET',
  path: workspaceWebhookPath,
  summary: 'Read the webhook URL of a workspace',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The URL', body: workspaceWebhookSchema } },
  uses: { table: { Query: ['NUMBER#'] } },
});
