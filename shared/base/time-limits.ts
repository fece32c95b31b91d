/*
 * How long the parts of an operation may take, in milliseconds. The gateway waits 30 s for a response.
 */

/** One call of the upstream, and all work on the keys of a workspace. */
export const callTimeoutMs = 8_000;

/** All calls of one operation together: two time-outs. */
export const callBudgetMs = 2 * callTimeoutMs;

/** The download of a Flow JSON, after the calls. */
export const downloadTimeoutMs = 3_000;

/** What a function does besides. */
const ownWorkMs = 1_000;

/** How long a function may run if its definition says nothing else. */
export const defaultTimeoutSeconds = (callBudgetMs + downloadTimeoutMs + ownWorkMs) / 1000;

/** A publication may work on keys before it calls. */
export const publishTimeoutSeconds = defaultTimeoutSeconds + callTimeoutMs / 1000;

/** How long a function that responds to requests may run at most. */
export const maxTimeoutSeconds = 29;

/** A lease outlasts the work by this: writes precede and follow it, and the clocks of two processes differ. */
export const leaseMarginMs = 5_000;

/** How long a request alone may work on something. */
export const leaseMs = maxTimeoutSeconds * 1000 + leaseMarginMs;

/**
 * The maximum age of the credentials that a rejection relies on. Older ones are read again, because an operator may
 * just have changed them. So a flood of bad signatures causes one read in this time.
 */
export const freshMs = 5_000;

/** The right to work on something alone, until its holder gives it back or the time is over. */
export interface Lease {
  /** The id of the request, of its run or of the attempt. */
  holder: string;
  /** Epoch milliseconds. */
  until: number;
}

export const leaseFor = (holder: string, now: number): Lease => ({ holder, until: now + leaseMs });

export const isHeld = (lease: Lease | undefined, now: number): boolean => lease !== undefined && lease.until > now;
