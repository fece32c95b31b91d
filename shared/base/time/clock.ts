/** Returns milliseconds since the Unix epoch. Tests pass their own clock. */
export type Clock = () => number;

/**
 * ISO 8601 UTC with six fractional digits, the form of every date-time in a response: `2026-01-31T08:15:30.123000Z`.
 */
export function timestamp(epochMilliseconds: number): string {
  return `${new Date(epochMilliseconds).toISOString().slice(0, -1)}000Z`;
}
