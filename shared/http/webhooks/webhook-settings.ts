import * as z from 'zod/mini';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';
import { describeComponent } from '../contract/contract.ts';

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
