import { provider } from '../provider.ts';
import { retries } from '../resources/retries.ts';

/** Seconds between attempts. */
export const schedule = provider({ retries }, ({ retries }) => retries);
