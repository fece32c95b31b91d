import * as z from 'zod/mini';
import { deliveryKeptDays } from '#shared/domain/deliveries/limits.ts';
import { type ReplayContext, replayRange } from '#shared/domain/deliveries/replay.ts';
import type { Subscriber } from '#shared/domain/subscribers/subscriber.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import { describeComponent, describeMembers } from '../contract/contract.ts';
import { encodeCursor, requestCursor } from '../paging/cursor.ts';
import { dateTimeWithZone } from './date-time-with-zone.ts';

/** A range of deliveries to replay. */
export const replayRequest = z.strictObject({
  since: dateTimeWithZone,
  until: z.optional(dateTimeWithZone),
  state: z.optional(z.enum(['delivered', 'exhausted', 'discarded'])),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});

export const replayRequestTexts = () => ({
  since: `Replays deliveries created at this time or later: ISO 8601 with a time zone, at most ${deliveryKeptDays} days ago.`,
  until: 'Replays deliveries created before this time: ISO 8601 with a time zone. Now, by default.',
  state: 'Replays deliveries in this state; `exhausted` by default.',
  cursor: 'The `next_cursor` of the previous response.',
});
/* @__PURE__ */ describeMembers(replayRequest, replayRequestTexts);

/** With `next_cursor`, the same request goes on where this one ended. */
export const replayedSchema = z.object({ replayed: z.int(), more: z.boolean(), next_cursor: z.nullable(z.string()) });
/* @__PURE__ */ describeComponent('Replayed', replayedSchema, () => ({
  replayed: 'How many deliveries are being replayed.',
  more: 'Whether there are more deliveries to replay.',
  next_cursor: 'The `cursor` for the next request; `null` if there are no more.',
}));

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
