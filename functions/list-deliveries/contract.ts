import { deliveryListQuery, deliveryPageSchema } from '../../shared/deliveries/schemas.ts';
import { defineContract } from '../../shared/http/contract.ts';

export const contract = defineContract({
  name: 'list-deliveries',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries',
  summary: 'List the deliveries of a number',
  description:
    'Of the last 30 days, newest first, page by page; `since` and `until` are about `created_at`. Where few of many are wanted, a page can hold fewer than `limit`, even none: `links.next` tells whether there are more.',
  tag: 'Webhooks',
  caller: 'number-user',
  query: deliveryListQuery,
  answers: { 200: { description: 'One page of deliveries', body: deliveryPageSchema } },
  uses: { table: ['BatchGetItem', 'Query'] },
});
