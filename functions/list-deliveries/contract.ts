import * as z from 'zod/mini';
import { targets } from '#shared/domain/accounts/number.ts';
import { deliveryStates } from '#shared/domain/deliveries/delivery.ts';
import { defineContract } from '#shared/http/contract.ts';
import { deliverySchema } from '#shared/http/deliveries/delivery-schema.ts';
import { moment } from '#shared/http/deliveries/moment.ts';
import { pageLimit, pageMembers } from '#shared/http/page-schemas.ts';

const query = z.object({
  state: z.optional(z.enum(deliveryStates)),
  target: z.optional(z.enum(targets)),
  since: z.optional(moment),
  until: z.optional(moment),
  limit: z.optional(pageLimit),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});

const page = z.object({ data: z.array(deliverySchema), ...pageMembers });
z.globalRegistry.add(page, { id: 'DeliveryPage' });

export const contract = defineContract({
  name: 'list-deliveries',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries',
  summary: 'List the deliveries of a number',
  description:
    'Of the last 30 days, newest first, page by page. The order goes by when the event happened, which the upstream says in whole seconds; within a second it is arbitrary but always the same. `since` and `until` are about `created_at`, when the service received the event. Where few of many are wanted, a page can hold fewer than `limit`, even none: `links.next` tells whether there are more.',
  tag: 'Webhooks',
  caller: 'number-user',
  query,
  answers: { 200: { description: 'One page of deliveries', body: page } },
  uses: { table: ['BatchGetItem', 'Query'] },
});
