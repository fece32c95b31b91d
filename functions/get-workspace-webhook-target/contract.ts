import { defineContract } from '#shared/http/contract/contract.ts';
import { targetSettings, workspaceWebhookTargetPath } from '#shared/http/deliveries/target-settings.ts';

export const contract = defineContract({
  name: 'get-workspace-webhook-target',
  method: 'GET',
  path: workspaceWebhookTargetPath,
  summary: 'Read which events a webhook target of a workspace gets',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The events, and the names of the headers', body: targetSettings } },
  uses: { table: { Query: ['NUMBER#'] } },
});
