import * as z from 'zod/mini';
import type { Subscriber } from '#shared/domain/accounts/subscriber.ts';

/** The path of the settings of a workspace's webhook. */
export const workspaceWebhookPath = '/v2/workspaces/{workspace}/webhook';

/** The URL of a workspace's webhook; `null` without one. */
export const workspaceWebhookSchema = z.object({ webhook: z.nullable(z.string()) });
z.globalRegistry.add(workspaceWebhookSchema, { id: 'WorkspaceWebhook' });

/** Builds the API's settings of a workspace's webhook. */
export function toWorkspaceWebhook({ webhook }: Pick<Subscriber, 'webhook'>) {
  return { webhook: webhook ?? null };
}
