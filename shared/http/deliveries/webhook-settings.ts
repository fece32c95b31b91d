import * as z from 'zod/mini';

const url = z.nullable(z.string());

/** The URLs of a number's targets; `null` where there is none. */
export const webhookSettingsSchema = z.object({ webhook: url, secondary_webhook: url, calls_webhook: url });
z.globalRegistry.add(webhookSettingsSchema, { id: 'WebhookSettings' });
