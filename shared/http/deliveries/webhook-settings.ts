import * as z from 'zod/mini';

const url = z.nullable(z.string());

/** The URLs of a number's targets; `null` for a target without a URL. */
export const webhookSettingsSchema = z.object({ webhook: url, secondary_webhook: url, calls_webhook: url });
z.globalRegistry.add(webhookSettingsSchema, { id: 'WebhookSettings' });
