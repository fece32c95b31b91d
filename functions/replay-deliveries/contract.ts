import * as z from 'zod/mini';
import { targets } from '#shared/domain/accounts/subscriber.ts';
import { defineContract } from '#shared/http/contract/contract.ts';
import { dateTimeWithZone } from '#shared/http/deliveries/date-time-with-zone.ts';

const body = z.object({
  since: dateTimeWithZone,
  until: z.optional(dateTimeWithZone),
  state: z.optional(z.enum(['delivered', 'exhausted', 'discarded'])),
  target: z.optional(z.enum(targets)),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});
z.globalRegistry.add(body, { id: 'ReplayRequest' });

/** With `next_cursor`, the same request goes on where this one ended. */
const replayed = z.object({ replayed: z.int(), more: z.boolean(), next_cursor: z.nullable(z.string()) });

export const contract = defineContract({
  name: 'replay-deliveries',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries/replay',
  summary: 'Replay the deliveries of a time range',
  description:
    'Sends each delivery once, oldest first. By default it replays `exhausted` deliveries to every target that has a URL. `since` and `until` filter by `created_at`. A request replays at most 1,000 deliveries. While `more` is `true`, repeat the request with `cursor` set to `next_cursor`.',
  tag: 'Webhooks',
  caller: 'number-user',
  body,
  responses: { 200: { description: 'How many deliveries are being replayed', body: replayed } },
  errors: {
    400: 'The body is malformed, a target has no URL, or the circuit breaker of a target is open and you must resume it first',
  },
  uses: { table: ['BatchGetItem', 'Query'], indexes: ['gsi1'], queue: true },
});
