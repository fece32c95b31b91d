import * as z from 'zod/mini';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';
import { describeComponent } from '../contract/contract.ts';

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
