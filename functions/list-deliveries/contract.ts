import * as z from 'zod/mini';
import { targets } from '#shared/domain/accounts/subscriber.ts';
import { deliveryStates } from '#shared/domain/deliveries/delivery.ts';
import { defineContract } from '#shared/http/contract/contract.ts';
import { dateTimeWithZone } from '#shared/http/deliveries/date-time-with-zone.ts';
import { deliverySchema } from '#shared/http/deliveries/delivery-schema.ts';
import { pageLimit, pageMembers } from '#shared/http/paging/page-schemas.ts';

const query = z.object({
  state: z.optional(z.enum(deliveryStates)),
  target: z.optional(z.enum(targets)),
  since: z.optional(dateTimeWithZone),
  until: z.optional(dateTimeWithZone),
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
    'Lists the deliveries of the last 30 days in pages, newest first. They are sorted by the time of the event, which the messaging platform reports in whole seconds. The order within a second is arbitrary but stable. `since` and `until` filter by `created_at`, the time when the service received the event. If filters match few deliveries, a page can have fewer than `limit` items, or none. `links.next` shows whether there are more.',
  tag: 'Webhooks',
  caller: 'number-user',
  query,
  responses: { 200: { description: 'One page of deliveries', body: page } },
  uses: { table: ['BatchGetItem', 'Query'], indexes: ['gsi1', 'gsi2'] },
});
