import * as z from 'zod/mini';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';

/** The path of the settings of a workspace's webhook. */
export const workspaceWebhookPath = '/v2/workspaces/{workspace}/webhook';

/** The URL of a workspace's webhook; `null` without one. */
export const workspaceWebhookSchema = z.object({ webhook: z.nullable(z.string()) });
z.globalRegistry.add(workspaceWebhookSchema, { id: 'WorkspaceWebhook' });

/** Builds the API's settings of a workspace's webhook. */
export function toWorkspaceWebhook({ targets }: DeliverySettings) {
  return { webhook: targets.webhook.url ?? null };
}
