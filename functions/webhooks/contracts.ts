import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/members.ts';
import { defineContract, ofWorkspace } from '#shared/operations/contract.ts';
import {
  changedTargetSettings,
  rotatedSecretSchema,
  targetChanges,
  targetList,
  targetSettings,
  webhookSettingsSchema,
  webhookTargetPath,
  webhookTargetsPath,
  workspaceWebhookSchema,
} from '#shared/webhooks/webhook-settings.ts';

/** The URL of a target, or `null` to remove it. */
const nullableUrl = () => {
  const url = z.string().check(z.maxLength(255, 'webhook_length'));
  z.globalRegistry.add(url, { format: 'uri' });
  return z.nullable(url);
};

export const getWebhook = /* @__PURE__ */ defineContract(() => ({
  name: 'get-webhook',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook',
  summary: 'Read the webhook URLs of a number',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The URLs', body: webhookSettingsSchema } },
  uses: { table: { Query: ['SUBSCRIBER#'] } },
}));

export const getWorkspaceWebhook = /* @__PURE__ */ defineContract(() => ({
  ...ofWorkspace(getWebhook),
  name: 'get-workspace-webhook',
  summary: 'Read the webhook URL of a workspace',
  responses: { 200: { description: 'The URL', body: workspaceWebhookSchema } },
}));

export const updateWebhook = /* @__PURE__ */ defineContract(() => {
  const url = z.optional(nullableUrl());

  const body = z.strictObject({ webhook: url, secondary_webhook: url, calls_webhook: url });
  /* @__PURE__ */ describeMembers(body, () => ({
    webhook: 'The `https` URL for messages, statuses and errors. `null` removes it; if absent, it stays.',
    secondary_webhook:
      'The `https` URL for a second copy of what goes to `webhook`. `null` removes it; if absent, it stays.',
    calls_webhook: 'The `https` URL for call events. `null` removes it; if absent, it stays.',
  }));

  return {
    name: 'update-webhook',
    method: 'PUT',
    path: '/v2/messaging/numbers/{number}/webhook',
    summary: 'Set, replace or remove the webhook URLs of a number',
    description:
      'An absent member keeps its value, and `null` removes the URL. Each URL must be `https` and resolve to a public address. If the URL of a target changes, its held deliveries go to the new URL. An attempt in progress ends at the old one. The URL of a target in Meta’s format is set by owners only, because its receiver gets the verify token.',
    tag: 'Webhooks',
    caller: 'number-user',
    body,
    responses: { 200: { description: 'The URLs', body: webhookSettingsSchema } },
    throws: ['workspace.not-owner'],
    uses: {
      table: { Query: ['SECRETS#', 'SUBSCRIBER#'], UpdateItem: ['SUBSCRIBER#'] },
      queue: true,
      egress: true,
    },
  };
});

export const updateWorkspaceWebhook = /* @__PURE__ */ defineContract(() => {
  const workspaceBody = z.strictObject({ webhook: nullableUrl() });
  /* @__PURE__ */ describeMembers(workspaceBody, () => ({
    webhook: 'The `https` URL of the webhook; `null` removes it.',
  }));

  return {
    ...ofWorkspace(updateWebhook),
    name: 'update-workspace-webhook',
    summary: 'Set, replace or remove the webhook URL of a workspace',
    description:
      'The webhook receives what belongs to no webhook of a number: other fields of the messaging platform, and events of this service. `null` removes the URL. The URL must be `https` and resolve to a public address. If it changes, held deliveries go to the new URL. An attempt in progress ends at the old one.',
    body: workspaceBody,
    responses: { 200: { description: 'The URL', body: workspaceWebhookSchema } },
    throws: [],
  };
});

export const getWebhookTarget = /* @__PURE__ */ defineContract(() => ({
  name: 'get-webhook-target',
  method: 'GET',
  path: webhookTargetPath,
  summary: 'Read which events a webhook target of a number gets',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The events, and the names of the headers', body: targetSettings } },
  uses: { table: { Query: ['SUBSCRIBER#'] } },
}));

export const getWorkspaceWebhookTarget = /* @__PURE__ */ defineContract(() => ({
  ...ofWorkspace(getWebhookTarget),
  name: 'get-workspace-webhook-target',
  summary: 'Read which events a webhook target of a workspace gets',
}));

export const listWebhookTargets = /* @__PURE__ */ defineContract(() => ({
  ...getWebhookTarget,
  name: 'list-webhook-targets',
  servedBy: getWebhookTarget.name,
  path: webhookTargetsPath,
  summary: 'List the webhook targets of a number',
  description: 'The three that every number has, and up to five with names of their own.',
  responses: { 200: { description: 'The targets', body: targetList } },
}));

export const updateWebhookTarget = /* @__PURE__ */ defineContract(() => ({
  name: 'update-webhook-target',
  method: 'PUT',
  path: webhookTargetPath,
  summary: 'Change a webhook target of a number, or make one with a name of its own',
  description:
    "An absent member keeps its value. `null` stands for all events, or for no headers. A list of header names as `GET` shows them keeps the headers. An object replaces them all; its headers are sent only to the origin of the URL, and their values are never shown again. Without `format`, send the `url` that they are for: another user may have set another one. The change applies to every event that comes after the response; a retry uses the current headers and secrets. A name of lower-case letters, digits and hyphens makes a target of its own: owners make up to five, each with a signing secret that only this response shows. Only owners change URL, format and secrets here. It gets calls only if its `events` ask for them. In Meta's format, a receiver first has to pass Meta's handshake.",
  tag: 'Webhooks',
  caller: 'number-user',
  body: targetChanges,
  responses: { 200: { description: 'The target, and the secrets that were made', body: changedTargetSettings } },
  throws: ['target.other-url', 'target.too-many', 'workspace.not-owner'],
  uses: {
    table: { Query: ['SECRETS#', 'SUBSCRIBER#'], UpdateItem: ['SECRETS#', 'SUBSCRIBER#'] },
    queue: true,
    egress: true,
  },
}));

export const deleteWebhookTarget = /* @__PURE__ */ defineContract(() => ({
  name: 'delete-webhook-target',
  method: 'DELETE',
  path: webhookTargetPath,
  summary: 'Delete a webhook target with a name of its own',
  description:
    'What waits for it is never sent. A target that is made again under this name begins with nothing: another secret, and an empty log.',
  tag: 'Webhooks',
  caller: 'number-owner',
  responses: { 204: { description: 'The target is deleted' } },
  throws: ['target.built-in'],
  uses: {
    table: {
      ...{ Query: ['SUBSCRIBER#'], DeleteItem: ['SECRETS#', 'SUBSCRIBER#'] },
      // In a transaction, AWS may check each action for the keys of all.
      UpdateItem: ['SECRETS#', 'SUBSCRIBER#'],
    },
    queue: true,
  },
}));

export const updateWorkspaceWebhookTarget = /* @__PURE__ */ defineContract(() => ({
  ...ofWorkspace(updateWebhookTarget),
  name: 'update-workspace-webhook-target',
  summary: 'Change the webhook target of a workspace',
  description:
    "Like the change of a number's target. In Meta's format, the webhook gets the fields of the platform that belong to no number, and no events of this service.",
}));

export const rotateWebhookSecret = /* @__PURE__ */ defineContract(() => ({
  name: 'rotate-webhook-secret',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/secret',
  summary: 'Rotate the signing secret of a number',
  description:
    'Only this response shows the secret. The previous secret also signs for 24 hours, until `previous_valid_until`. At most five previous secrets sign at a time, so a further rotation fails with `429`.',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The new secret', body: rotatedSecretSchema } },
  throws: ['signing-secret.changed-meanwhile', 'signing-secret.too-many-rotations'],
  uses: {
    table: { Query: ['SECRETS#', 'SUBSCRIBER#'], UpdateItem: ['SECRETS#', 'SUBSCRIBER#'] },
  },
}));

export const rotateWebhookTargetSecret = /* @__PURE__ */ defineContract(() => ({
  ...rotateWebhookSecret,
  name: 'rotate-webhook-target-secret',
  servedBy: rotateWebhookSecret.name,
  path: '/v2/messaging/numbers/{number}/webhook/targets/{target}/secret',
  summary: 'Rotate the signing secret of a target with a name of its own',
  caller: 'number-owner',
}));

export const rotateWorkspaceWebhookSecret = /* @__PURE__ */ defineContract(() => ({
  ...ofWorkspace(rotateWebhookSecret),
  name: 'rotate-workspace-webhook-secret',
  summary: 'Rotate the signing secret of a workspace',
}));

export const testWebhook = /* @__PURE__ */ defineContract(() => {
  const result = z.object({ success: z.boolean(), status: z.nullable(z.int()), duration_ms: z.int() });
  /* @__PURE__ */ describeMembers(result, () => ({
    success: 'Whether the receiver responded with 200.',
    status: 'The HTTP status of the receiver; `null` if it did not respond.',
    duration_ms: 'How long the receiver took, in milliseconds.',
  }));

  return {
    name: 'test-webhook',
    method: 'POST',
    path: '/v2/messaging/numbers/{number}/service-webhook',
    summary: 'Send a test notification now',
    description:
      'Sends a signed notification of an incoming text message, `Beep Beep!`, at once, whatever events a target gets and whether it is failing: to `webhook` and, if it is set, to `secondary_webhook`. The response tells how the receiver at `webhook` responded. The log of deliveries keeps its delivery under `x-delivery-id`, with an explanation, and lists that of `secondary_webhook` as well. If a receiver fails, the test is retried three times, to the URL that is set by then, and does not count against the target. `status` is `null` if the receiver did not respond.',
    tag: 'Webhooks',
    caller: 'number-user',
    responses: {
      200: {
        description: 'How the receiver at `webhook` responded',
        body: result,
        headers: { 'x-delivery-id': 'The id of the delivery in the log' },
      },
    },
    optionalHeaders: {
      'x-delivery-error':
        'Why the attempt failed: `status` for a status other than 200, or the `error` of the attempt in the log, such as `refused`, `dns`, `tls` or `timeout`',
    },
    throws: ['validation-failed'],
    uses: {
      table: { Query: ['SECRETS#', 'SUBSCRIBER#'], PutItem: ['DELIVERIES#'] },
      queue: true,
      egress: true,
      retries: true,
    },
  };
});

export const resumeWebhook = /* @__PURE__ */ defineContract(() => {
  const body = z.strictObject({ target: z.optional(z.string()) });
  /* @__PURE__ */ describeMembers(body, () => ({ target: 'The target to resume; every failing target, by default.' }));

  const resumed = z.object({ resumed: z.array(z.string()) });
  /* @__PURE__ */ describeMembers(resumed, () => ({ resumed: 'The targets that were resumed.' }));

  return {
    name: 'resume-webhook',
    method: 'POST',
    path: '/v2/messaging/numbers/{number}/webhook/resume',
    summary: 'Resume delivery to failing targets',
    description: 'Sends the held deliveries, oldest first. Without `target`, every failing target is resumed.',
    tag: 'Webhooks',
    caller: 'number-user',
    body,
    responses: { 200: { description: 'The targets that were resumed', body: resumed } },
    uses: { table: { Query: ['SUBSCRIBER#'], UpdateItem: ['SUBSCRIBER#'] }, queue: true },
  };
});

export const resumeWorkspaceWebhook = /* @__PURE__ */ defineContract(() => ({
  ...ofWorkspace(resumeWebhook),
  name: 'resume-workspace-webhook',
  summary: 'Resume delivery to the failing webhook of a workspace',
  description: 'Sends the held deliveries, oldest first. `resumed` is empty if the webhook is not failing.',
}));
