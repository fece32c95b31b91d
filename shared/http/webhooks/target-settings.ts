import * as z from 'zod/mini';
import { headerNames } from '#shared/domain/subscribers/receiver-headers.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';

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
z.globalRegistry.add(targetChanges, { id: 'WebhookTargetChanges' });

export const targetSettings = z.object({
  events: z.nullable(z.array(z.string())),
  headers: z.array(z.string()),
});
z.globalRegistry.add(targetSettings, { id: 'WebhookTarget' });

/** Builds the API's settings of a target. The values of headers stay inside the service. */
export function toTargetSettings({ targets }: DeliverySettings, target: Target) {
  const { events } = targets[target];
  return { events: events ? [...events] : null, headers: [...headerNames(targets[target])] };
}
