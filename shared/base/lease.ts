import { leaseMs } from './time-limits.ts';

/** The right to work on something alone, until its holder gives it back or the time is over. */
export interface Lease {
  /** The id of the request, of its run or of the attempt. */
  holder: string;
  /** Epoch milliseconds. */
  until: number;
}

export const leaseFor = (holder: string, now: number, lastsMs = leaseMs): Lease => ({ holder, until: now + lastsMs });

export const isHeld = (lease: Lease | undefined, now: number): boolean => lease !== undefined && lease.until > now;
