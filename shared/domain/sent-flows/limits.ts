import { dayMs, minuteMs } from '#shared/base/time/duration.ts';

/** How long a flow token is accepted, in seconds. */
export const expirySeconds = { min: minuteMs / 1000, max: (30 * dayMs) / 1000 };

/** The maximum number of characters in the texts in a Flow message (Meta's page "Sending a Flow"). */
export const maxCharacters = { cta: 20, body: 1024, header: 60, footer: 60 };
