import * as z from 'zod/mini';
import { timestamp } from '#shared/base/time.ts';
import { dateTime, describeComponent } from '#shared/http/members.ts';
import { headerNames } from './receiver-headers.ts';
import { type RotationContext, rotateSecret } from './rotate-secret.ts';
import type { DeliverySettings, Subscriber, Target } from './subscriber.ts';

const url = z.nullable(z.string());

/** The URLs of a number's targets; `null` for a target without a URL. */
export const webhookSettingsSchema = z.object({ webhook: url, secondary_webhook: url, calls_webhook: url });
/* @__PURE__ */ describeComponent('WebhookSettings', webhookSettingsSchema, () => ({
  webhook: 'The URL for messages, statuses and errors; `null` if there is none.',
  secondary_webhook: 'The URL for a second copy of what goes to `webhook`; `null` if there is none.',
  calls_webhook: 'The URL for call events; `null` if there is none.',
}));

/** Builds the API's webhook settings of a number. */
export function toWebhookSettings({ targets }: DeliverySettings) {
  return {
    webhook: targets.webhook.url ?? null,
    secondary_webhook: targets.secondary_webhook.url ?? null,
    calls_webhook: targets.calls_webhook.url ?? null,
  };
}

/** The path of one target of a number's webhooks, and of a workspace's. */
export const webhookTargetPath = '/v2/messaging/numbers/{number}/webhook/targets/{target}';
export const workspaceWebhookTargetPath = '/v2/workspaces/{workspace}/webhook/targets/{target}';

const maxEvents = 50;

/** The name of an event: a list or a field, and what follows after a dot. Which names exist depends on the target. */
const event = z.string().check(z.maxLength(100));

/** The headers by their names, or the list of names that responses show. */
const headers = z.union([z.record(z.string(), z.string()), z.array(z.string())]);

export const targetChanges = z.strictObject({
  events: z.optional(
    z.nullable(
      z.array(event).check(
        z.minLength(1),
        z.maxLength(maxEvents),
        z.refine((list) => new Set(list).size === list.length, { params: { rule: 'distinct' } }),
      ),
    ),
  ),
  headers: z.optional(z.nullable(headers)),
  url: z.optional(z.string().check(z.maxLength(255))),
});
/* @__PURE__ */ describeComponent('WebhookTargetChanges', targetChanges, () => ({
  events:
    'The only events that the target gets; `null` for all but `message_echoes`, which has to be named. A name is the list of the notification, alone or with the `type` of a message, the `status` of a status or the `event` of a call: `messages`, `messages.text`, `statuses.failed`, `calls.terminate`, `errors`. At a workspace it is a field or a type: `account_update`, `flow`, `flow.published`.',
  headers:
    'Up to five headers that are sent with every notification, by name; `null` for none. They replace all earlier ones. A list of names, as responses show it, keeps those that are set. No header of the connection or of this service can be set. They are sent only to the origin of the URL that the target has now.',
  url: 'The URL that the change is meant for. If the target has another one by now, nothing changes and the response is `409`.',
}));

export const targetSettings = z.object({
  events: z.nullable(z.array(z.string())),
  headers: z.array(z.string()),
});
/* @__PURE__ */ describeComponent('WebhookTarget', targetSettings, () => ({
  events: 'The only events that the target gets; `null` for all.',
  headers: 'The names of its own headers for the server of its URL. Their values are never shown.',
}));

/** Builds the API's settings of a target. The values of headers stay inside the service. */
export function toTargetSettings({ targets }: DeliverySettings, target: Target) {
  const { events } = targets[target];
  return { events: events ? [...events] : null, headers: [...headerNames(targets[target])] };
}

/** A new signing secret, which only this response shows. */
export const rotatedSecretSchema = z.object({ secret: z.string(), previous_valid_until: dateTime });
/* @__PURE__ */ describeComponent('SigningSecret', rotatedSecretSchema, () => ({
  secret: 'The new signing secret: `whsec_` and the key in base64. Shown only in this response.',
  previous_valid_until: 'The time until which the previous secret also signs.',
}));

/** Rotates the signing secret of a subscriber. */
export async function rotatedSecret(subscriber: Subscriber, context: RotationContext) {
  const { secret, previousValidUntil } = await rotateSecret(subscriber, context);
  return { secret, previous_valid_until: timestamp(previousValidUntil) };
}

/** The path of the settings of a workspace's webhook. */
export const workspaceWebhookPath = '/v2/workspaces/{workspace}/webhook';

/** The URL of a workspace's webhook; `null` without one. */
export const workspaceWebhookSchema = z.object({ webhook: z.nullable(z.string()) });
/* @__PURE__ */ describeComponent('WorkspaceWebhook', workspaceWebhookSchema, () => ({
  webhook: 'The URL of the webhook; `null` if there is none.',
}));

/** Builds the API's settings of a workspace's webhook. */
export function toWorkspaceWebhook({ targets }: DeliverySettings) {
  return { webhook: targets.webhook.url ?? null };
}
