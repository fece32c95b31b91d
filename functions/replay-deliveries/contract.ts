import * as z from 'zod/mini';
import { targets } from '#shared/domain/accounts/number.ts';
import { defineContract } from '#shared/http/contract.ts';
import { moment } from '#shared/http/deliveries/moment.ts';

const body = z.object({
  since: moment,
  until: z.optional(moment),
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
  summary: 'Send the deliveries of a time once more',
  description:
    'Each one once, oldest first, of all targets that have a URL unless one is named; those that were given up unless another state is named. `since` and `until` are about `created_at`. At most 1,000 at once: while there are `more`, send the same again with `cursor` set to `next_cursor`.',
  tag: 'Webhooks',
  caller: 'number-user',
  body,
  answers: { 200: { description: 'How many attempts are under way', body: replayed } },
  errors: { 400: 'Malformed body; or a target has no URL, or does not answer and is to be resumed first' },
  uses: { table: ['BatchGetItem', 'Query'], queue: true },
});
