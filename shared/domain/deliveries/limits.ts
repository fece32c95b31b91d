import { dayMs } from '#shared/base/time/duration.ts';

/** How long a delivery is kept. */
export const deliveryKeptDays = 30;
export const deliveryKeptMs = deliveryKeptDays * dayMs;

/** The longest delay that SQS accepts for a message (SQS quotas). */
export const longestDelaySeconds = 900;

/** The most attempts that one batch makes in parallel for one slow target. */
export const slowAttemptsPerBatch = 5;
