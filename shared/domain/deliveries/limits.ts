import { dayMs } from '#shared/base/duration.ts';

/** How long a delivery is kept. */
export const keptDays = 30;
export const keptForMs = keptDays * dayMs;

/** The longest delay that SQS accepts for a message (SQS quotas). */
export const longestDelaySeconds = 900;
