import { defineContract } from '#shared/operations/contract.ts';
import { targetSettings, webhookTargetPath, workspaceWebhookTargetPath } from '#shared/webhooks/webhook-settings.ts';

export const contract = defineContract({
  name: 'get-webhook-target',
  method: 'GET',
  path: webhookTargetPath,
  summary: 'Read which events a webhook target of a number gets',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The events, and the names of the headers', body: targetSettings } },
  uses: { table: { Query: ['SUBSCRIBER#'] } },
});

export const workspaceContract = defineContract({
  ...contract,
  name: 'get-workspace-webhook-target',
  servedBy: contract.name,
  path: workspaceWebhookTargetPath,
  summary: 'Read which events a webhook target of a workspace gets',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
});
