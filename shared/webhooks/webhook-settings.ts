import * as z from 'zod/mini';
import { dateTime, describeComponent } from '#shared/http/members.ts';
import { formats } from './meta-format.ts';
import { headerNames } from './receiver-headers.ts';
import { type DeliverySettings, newTarget, type Target } from './subscriber.ts';

const url = z.nullable(z.string());

/** The URLs of a number's targets; `null` for a target without a URL. */
export const webhookSettingsSchema = z.object({ webhook: url, secondary_webhook: url, calls_webhook: url });
/* @__PURE__ */ describeComponent('WebhookSettings', webhookSettingsSchema, () => ({
  webhook: 'The URL for messages, statuses and errors; `null` if there is none.',
  secondary_webhook: 'The URL for a second copy of what goes to `webhook`; `null` if there is none.',
  calls_webhook: 'The URL for call events; `null` if there is none.',
}));

/** Builds the API's webhook settings. The schema of a workspace takes only its `webhook`. */
export const toWebhookSettings = ({ targets: { webhook, secondary_webhook, calls_webhook } }: DeliverySettings) => ({
  webhook: webhook.url ?? null,
  secondary_webhook: secondary_webhook.url ?? null,
  calls_webhook: calls_webhook.url ?? null,
});

/** The paths of the targets of a number, and of one of them. */
export const webhookTargetsPath = '/v2/messaging/numbers/{number}/webhook/targets';
export const webhookTargetPath = `${webhookTargetsPath}/{target}` as const;

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
  url: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  format: z.optional(z.enum(formats)),
  app_secret: z.optional(z.string().check(z.minLength(16), z.maxLength(128))),
  verify_token: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
});
/* @__PURE__ */ describeComponent('WebhookTargetChanges', targetChanges, () => ({
  events:
    'The only events that the target gets; `null` for all but `message_echoes`, which has to be named. A name is the list of the notification, alone or with the `type` of a message, the `status` of a status or the `event` of a call: `messages`, `messages.text`, `statuses.failed`, `calls.terminate`, `errors`. At a workspace it is a field or a type: `account_update`, `flow`, `flow.published`.',
  headers:
    'Up to five headers that are sent with every notification, by name; `null` for none. They replace all earlier ones. A list of names, as responses show it, keeps those that are set. No header of the connection or of this service can be set. They are sent only to the origin of the URL that the target has now.',
  url: 'Beside `format`, and at a target with a name of its own, the URL to set; `null` removes that of a built-in target. Without `format`, the URL that the change is meant for: if the target has another one by now, nothing changes and the response is `409`.',
  format:
    "`meta` for notifications in the form of Meta's own webhooks, `standard` for those of this service. For owners only. What came before keeps its format.",
  app_secret:
    "Signs notifications in Meta's format (`X-Hub-Signature-256`), at once and also those that wait. Without it, one is made when the target gets the format, and shown in that response only. For owners only.",
  verify_token: "What a receiver in Meta's format expects in the handshake. It is never shown. For owners only.",
}));

/** What a request changes. An absent member keeps its value; `null` stands for no URL, all events, or no headers. */
export type TargetChanges = z.output<typeof targetChanges>;

export const targetSettings = z.object({
  url: z.nullable(z.string()),
  format: z.enum(formats),
  events: z.nullable(z.array(z.string())),
  headers: z.array(z.string()),
});
const targetTexts = () => ({
  url: 'The URL of the target; `null` if there is none.',
  format: "The form of its notifications: `standard`, or `meta` for that of Meta's own webhooks.",
  events: 'The only events that the target gets; `null` for all.',
  headers: 'The names of its own headers for the server of its URL. Their values are never shown.',
});
/* @__PURE__ */ describeComponent('WebhookTarget', targetSettings, targetTexts);

/** Builds the API's settings of a target. Its secrets stay inside the service. */
export function toTargetSettings({ targets }: DeliverySettings, target: Target) {
  const record = targets[target] ?? newTarget();
  const { url = null, format = 'standard', events } = record;
  return { url, format, events: events ? [...events] : null, headers: [...headerNames(record)] };
}

/** A target as the request that makes or changes it shows it, with the secrets that were made. */
export const changedTargetSettings = z.object({
  ...targetSettings.shape,
  secret: z.optional(z.string()),
  app_secret: z.optional(z.string()),
});
/* @__PURE__ */ describeComponent('ChangedWebhookTarget', changedTargetSettings, () => ({
  ...targetTexts(),
  secret: 'The signing secret of a target that was made. Shown only in this response.',
  app_secret: 'The app secret that was made for the target. Shown only in this response.',
}));

const namedSettings = z.object({ name: z.string(), ...targetSettings.shape });
/* @__PURE__ */ describeComponent('NamedWebhookTarget', namedSettings, () => ({
  name: 'The name of the target.',
  ...targetTexts(),
}));

/** The targets of a number, each with its name. */
export const targetList = z.object({ data: z.array(namedSettings) });
/* @__PURE__ */ describeComponent('WebhookTargetList', targetList, () => ({
  data: 'The targets, those with names of their own last.',
}));

/** A new signing secret, which only this response shows. */
export const rotatedSecretSchema = z.object({ secret: z.string(), previous_valid_until: dateTime });
/* @__PURE__ */ describeComponent('SigningSecret', rotatedSecretSchema, () => ({
  secret: 'The new signing secret: `whsec_` and the key in base64. Shown only in this response.',
  previous_valid_until: 'The time until which the previous secret also signs.',
}));

/** The URL of a workspace's webhook; `null` without one. */
export const workspaceWebhookSchema = z.object({ webhook: z.nullable(z.string()) });
/* @__PURE__ */ describeComponent('WorkspaceWebhook', workspaceWebhookSchema, () => ({
  webhook: 'The URL of the webhook; `null` if there is none.',
}));
