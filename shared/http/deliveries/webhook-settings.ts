import * as z from 'zod/mini';
import type { Subscriber } from '#shared/domain/accounts/subscriber.ts';

const url = z.nullable(z.string());

/** The URLs of a number's targets; `null` for a target without a URL. */
export const webhookSettingsSchema = z.object({ webhook: url, secondary_webhook: url, calls_webhook: url });
z.globalRegistry.add(webhookSettingsSchema, { id: 'WebhookSettings' });

/** Builds the API's webhook settings of a number. */
export function toWebhookSettings({ webhook, secondary_webhook, calls_webhook }: Subscriber) {
  return {
    webhook: webhook ?? null,
    secondary_webhook: secondary_webhook ?? null,
    calls_webhook: calls_webhook ?? null,
  };
}
