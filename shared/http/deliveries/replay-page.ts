import * as z from 'zod/mini';
import { type ReplayContext, replayRange } from '#shared/domain/deliveries/replay.ts';
import type { Subscriber } from '#shared/domain/subscribers/subscriber.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import { encodeCursor, requestCursor } from '../paging/cursor.ts';
import { dateTimeWithZone } from './date-time-with-zone.ts';

/** A range of deliveries to replay. */
export const replayRequest = z.strictObject({
  since: dateTimeWithZone,
  until: z.optional(dateTimeWithZone),
  state: z.optional(z.enum(['delivered', 'exhausted', 'discarded'])),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});

/** With `next_cursor`, the same request goes on where this one ended. */
export const replayedSchema = z.object({ replayed: z.int(), more: z.boolean(), next_cursor: z.nullable(z.string()) });
z.globalRegistry.add(replayedSchema, { id: 'Replayed' });

/** Replays the deliveries of a range, as far as one request goes. */
export async function replayPage(
  subscriber: Subscriber,
  body: z.output<typeof replayRequest> & { target?: Target | undefined },
  context: ReplayContext,
) {
  const from = requestCursor(body.cursor, subscriber.id);
  const { replayed, more, reached } = await replayRange(subscriber, body, from?.item, context);
  const next = reached === undefined ? null : encodeCursor({ list: subscriber.id, item: reached, towards: 'newer' });
  return { replayed, more, next_cursor: next };
}
