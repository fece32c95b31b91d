import { deliveryWithPayloadSchema } from '#shared/delivery/delivery-object.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'get-delivery',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries/{delivery}',
  summary: 'Read a delivery with its payload and its attempts',
  description:
    '`payload` is the exact text of the notification. If it is too long for this response, `payload` holds its beginning, and `payload_url` links to the whole text for five minutes, without a token.',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The delivery', body: deliveryWithPayloadSchema } },
  throws: ['delivery.not-found'],
  uses: {
    table: { BatchGetItem: ['DELIVERIES#'] },
    bucket: { GetObject: ['notifications/'], ListBucket: ['notifications/'] },
  },
});

export const workspaceContract = defineContract({
  ...contract,
  name: 'get-workspace-delivery',
  servedBy: contract.name,
  path: '/v2/workspaces/{workspace}/webhook/deliveries/{delivery}',
  summary: 'Read a delivery of a workspace with its payload and its attempts',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
});
