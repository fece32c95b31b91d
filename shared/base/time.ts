/** Returns milliseconds since the Unix epoch. Tests pass their own clock. */
export type Clock = () => number;

/**
 * ISO 8601 UTC with six fractional digits, the form of every date-time in a response: `2026-01-31T08:15:30.123000Z`.
 */
export function timestamp(epochMilliseconds: number): string {
  return `${new Date(epochMilliseconds).toISOString().slice(0, -1)}000Z`;
}

/** Lengths of time in milliseconds. A day is a day in UTC, which always has 24 hours. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Each delay varies by up to this part of itself, so that what failed together does not return together. */
const jitter = 0.2;

/** Returns the seconds with their jitter. `random` is in [0, 1). */
export function withJitter(seconds: number, random: number): number {
  return seconds * (1 - jitter + 2 * jitter * random);
}
