import * as z from 'zod/mini';
import { headerNames } from '#shared/domain/subscribers/receiver-headers.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';
import { describeComponent } from '../contract/contract.ts';

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
    'The only events that the target gets; `null` for all. A name is the list of the notification, alone or with the `type` of a message, the `status` of a status or the `event` of a call: `messages`, `messages.text`, `statuses.failed`, `calls.terminate`, `errors`. At a workspace it is a field or a type: `account_update`, `flow`, `flow.published`.',
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
