import type { Arrivals } from './outside-worker.ts';

const pace = { atOnce: 8 };

/** The loads that the service and its peers get alike. */
export const singly = { posts: 1_000, messagesAPost: 1, pace };
export const inTens = { posts: 200, messagesAPost: 10, pace };
export const latencyLoad = { posts: 500, messagesAPost: 1, pace: { perSecond: 100 } };

/** Messages per second, from the first sending to the last arrival. */
export const throughputOf = ({ latencies, milliseconds }: Arrivals): number => (latencies.length * 1000) / milliseconds;
