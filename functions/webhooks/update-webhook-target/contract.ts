import { defineContract } from '#shared/operations/contract.ts';
import {
  targetChanges,
  targetSettings,
  webhookTargetPath,
  workspaceWebhookTargetPath,
} from '#shared/webhooks/webhook-settings.ts';

export const contract = defineContract({
  name: 'update-webhook-target',
  method: 'PUT',
  path: webhookTargetPath,
  summary: 'Choose the events that a webhook target of a number gets, and headers of its own',
  description:
    'An absent member keeps its value. `null` stands for all events, or for no headers. A list of header names as `GET` shows them keeps the headers. An object replaces them all; its headers are sent only to the origin of the current URL, and their values are never shown again. Send the `url` that they are for: another user may have set another one. The change applies to every event that comes after the response; a retry uses the current headers.',
  tag: 'Webhooks',
  caller: 'number-user',
  body: targetChanges,
  responses: { 200: { description: 'The events, and the names of the headers', body: targetSettings } },
  throws: ['target.other-url'],
  errors: { 409: 'The URL of the target is not `url`' },
  uses: { table: { Query: ['SUBSCRIBER#'], UpdateItem: ['SECRETS#', 'SUBSCRIBER#'] } },
});

export const workspaceContract = defineContract({
  ...contract,
  name: 'update-workspace-webhook-target',
  servedBy: contract.name,
  path: workspaceWebhookTargetPath,
  summary: 'Choose the events that a webhook target of a workspace gets, and headers of its own',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
});
