import { deliveryWithPayloadSchema } from '../../shared/deliveries/schemas.ts';
import { defineContract } from '../../shared/http/contract.ts';

export const contract = defineContract({
  name: 'get-delivery',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries/{delivery}',
  summary: 'Read a delivery with its payload and its attempts',
  tag: 'Webhooks',
  caller: 'number-user',
  answers: { 200: { description: 'The delivery', body: deliveryWithPayloadSchema } },
  uses: { table: ['BatchGetItem', 'GetItem'], bucket: ['GetObject', 'ListBucket'] },
});
