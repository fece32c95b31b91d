import { defineContract } from '#shared/http/contract/contract.ts';
import { webhookSettingsSchema } from '#shared/http/deliveries/webhook-settings.ts';

export const contract = defineContract({
  name: 'get-webhook',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook',
  summary: 'Read the webhook URLs of a number',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The URLs', body: webhookSettingsSchema } },
  uses: {},
});
