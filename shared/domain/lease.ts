import { leaseMs } from './upstream/limits.ts';

/** The right of one request to work on something alone, until it gives it back or the time is over. */
export interface Lease {
  /** The id of the request, or of its run. */
  holder: string;
  /** Epoch milliseconds. */
  until: number;
}

export const leaseFor = (holder: string, now: number): Lease => ({ holder, until: now + leaseMs });

export const isHeld = (lease: Lease | undefined, now: number): boolean => lease !== undefined && lease.until > now;
