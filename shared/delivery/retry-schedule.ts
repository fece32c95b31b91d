import { minuteMs, withJitter } from '#shared/base/time.ts';
import type { Attempt } from '#shared/egress/post.ts';
import { type Delivery, longestDelaySeconds, type NotificationKind } from './delivery.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { type Retried, type Retry, retryOf } from './notification.ts';

/** Seconds between attempts: about 28 hours in all. */
export const defaultSchedule: readonly number[] = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200];

/** The longest delay in a schedule. */
export const longestScheduledDelaySeconds = 43_200;

/** How many of the delays a test notification has: somebody is waiting for it. */
const delaysOfTest = 3;

/** The delays between the attempts of a delivery. */
const scheduleOf = (kind: NotificationKind, schedule: readonly number[]): readonly number[] =>
  kind === 'test' ? schedule.slice(0, delaysOfTest) : schedule;

/** After this time, the sweep considers the message that should have ended a wait lost and sends another. */
export const lookedAfterMs = 30 * minuteMs;

/** A receiver can delay an attempt by at most this, or by the schedule's own delay if that is longer. */
const longestWaitForReceiverSeconds = 3_600;

/** Parses delays in seconds, such as `10,30,120`. Without a text, it returns the default. */
export function parseSchedule(text: string | undefined): readonly number[] {
  if (text === undefined || text === '') return defaultSchedule;
  const seconds = text.split(',').map(Number);
  if (seconds.some((delay) => !(delay >= 0 && delay <= longestScheduledDelaySeconds))) {
    throw new Error(`A retry schedule is a list of seconds from 0 to ${longestScheduledDelaySeconds}, not "${text}"`);
  }
  return seconds;
}

/**
 * Returns the milliseconds until the next attempt after `attemptCount` failed ones, or `undefined` when the schedule is
 * used up. `random` is in [0, 1). `retryAfterSeconds`, the wait that the receiver asks for, can only delay the attempt.
 */
export function nextDelayMs(
  schedule: readonly number[],
  attemptCount: number,
  random: number,
  retryAfterSeconds = 0,
): number | undefined {
  const base = schedule[attemptCount - 1];
  if (base === undefined) return undefined;
  const delay = withJitter(base, random);
  const asked = Math.min(retryAfterSeconds, Math.max(longestWaitForReceiverSeconds, base));
  return Math.round(Math.max(delay, asked) * 1000);
}

interface NextAttempt extends Pick<Delivery, 'attempt_count' | 'next_attempt_at'> {
  state: 'waiting' | 'exhausted';
  look_after_at?: number;
  retry?: { message: Retry; delaySeconds: number };
}

/** What follows from a failed attempt of the schedule, and the message that ends a short wait. */
export function afterFailure(
  delivery: Retried,
  attempt: Attempt,
  { schedule, random, now }: Pick<DeliveryContext, 'schedule' | 'random' | 'now'>,
): NextAttempt {
  const attempt_count = delivery.attempt_count + 1;
  const retryAfter = attempt.outcome === 'responded' ? attempt.retryAfterSeconds : undefined;
  const delayMs = nextDelayMs(scheduleOf(delivery.kind, schedule), attempt_count, random(), retryAfter);
  if (delayMs === undefined) return { state: 'exhausted', attempt_count };
  const next_attempt_at = now() + delayMs;
  const waiting = { state: 'waiting', attempt_count, next_attempt_at, look_after_at: next_attempt_at } as const;
  if (delayMs > longestDelaySeconds * 1000) return waiting;
  const message = retryOf({ ...delivery, attempt_count });
  return {
    ...waiting,
    look_after_at: next_attempt_at + lookedAfterMs,
    retry: { message, delaySeconds: delayMs / 1000 },
  };
}
