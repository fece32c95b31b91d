import { newId } from '#shared/base/ids.ts';
import { describeError, log } from '#shared/base/logger.ts';
import { invalidField, ServiceError } from '#shared/base/service-error.ts';
import { type Clock, dayMs } from '#shared/base/time.ts';
import { isHeld, leaseFor } from '#shared/base/time-limits.ts';
import { cameBeforeSending, UpstreamError } from '#shared/base/upstream-error.ts';
import type { KeptResponse, KeyedRequest, KeyedRequestStore } from './keyed-request-store.ts';

/** One execution of an operation that takes an `Idempotency-Key`. */
export interface Run {
  /** A new UUID. The operation may use it as the id of what it creates. */
  readonly id: string;
  /** The runs for the same key before this one, whose outcome is unknown. */
  readonly earlier: readonly string[];
}

export const firstRun = (): Run => ({ id: newId(), earlier: [] });

/** What a request with a key gets if the outcome of an earlier one is unknown. */
export type AfterUnknownOutcome = 'run-again' | 'never-again';

export interface KeyedWork {
  /** Identifies the user, the operation, its path and the key. */
  key: string;
  body: string;
  /** The number or the workspace that the path names. */
  subscriber?: string | undefined;
  afterUnknownOutcome: AfterUnknownOutcome;
  run: (run: Run) => Promise<KeptResponse>;
  /** Builds the response to an error that is final. */
  rejection: (error: UpstreamError) => Promise<KeptResponse>;
}

interface Context {
  store: KeyedRequestStore;
  now: Clock;
}

/** How long a key is remembered. */
const rememberedMs = dayMs;

/**
 * The maximum number of earlier runs that a record lists. Each later run finds what any of them made, so a longer list
 * is never needed.
 */
const maxEarlier = 10;

/** A request that finds another one in progress waits this long: most take less. */
const retryAfterSeconds = 2;

/** Runs the work unless an earlier request with the key did; then repeats the response of that request. */
export async function runKeyed(work: KeyedWork, context: Context): Promise<{ replayed: boolean } & KeptResponse> {
  const begun = await begin(work, context);
  if (begun.response) return { ...begun.response, replayed: true };
  try {
    const response = await work.run({ id: begun.lease.holder, earlier: begun.earlier });
    await afterwards(() => context.store.keep(work.key, begun.lease.holder, response));
    return { ...response, replayed: false };
  } catch (error) {
    await afterwards(() => recordFailure(error, begun, work, context));
    throw error;
  }
}

/** Claims the key for a run, or resolves with the record of an earlier request that has a response. */
async function begin(work: KeyedWork, { store, now }: Context): Promise<KeyedRequest> {
  const at = now();
  const mine: KeyedRequest = {
    body: work.body,
    subscriber: work.subscriber,
    earlier: [],
    lease: leaseFor(firstRun().id, at),
    expires_at: at + rememberedMs,
  };
  const stored = await store.claim(work.key, mine, at);
  if (stored.lease.holder === mine.lease.holder) return inTime(mine, now());
  if (stored.body !== work.body) throw invalidField('Idempotency-Key', 'key_of_other_body');
  if (stored.response) return stored;
  if (isHeld(stored.lease, at)) throw inProgress();
  if (work.afterUnknownOutcome === 'never-again') throw new ServiceError('idempotency-key.outcome-unknown');
  const next = { ...mine, earlier: [...stored.earlier, stored.lease.holder].slice(-maxEarlier) };
  if (!(await store.takeOver(work.key, next, stored.lease.holder))) throw inProgress();
  return inTime(next, now());
}

/** A process can be frozen while it claims the key. When it wakes up, another run may hold the lease. */
function inTime(claimed: KeyedRequest, now: number): KeyedRequest {
  if (!isHeld(claimed.lease, now)) throw inProgress();
  return claimed;
}

const inProgress = () => new ServiceError('idempotency-key.in-progress', { retryAfterSeconds });

async function recordFailure(error: unknown, claimed: KeyedRequest, work: KeyedWork, { store }: Context) {
  switch (fateOf(error)) {
    case 'final':
      return store.keep(work.key, claimed.lease.holder, await work.rejection(error as UpstreamError));
    case 'nothing-done':
      // The outcome of an earlier run is still unknown, so the next run has to know about it.
      if (claimed.earlier.length === 0) return store.release(work.key, claimed.lease.holder);
      return store.abandon(work.key, claimed.lease.holder);
    case 'unknown':
      return store.abandon(work.key, claimed.lease.holder);
  }
}

/** What an error says about the effect of the request. */
function fateOf(error: unknown): 'final' | 'nothing-done' | 'unknown' {
  if (error instanceof ServiceError || cameBeforeSending(error)) return 'nothing-done';
  if (!(error instanceof UpstreamError) || error.outcomeIsUnknown) return 'unknown';
  const isRejected = error.failure === 'rejected' || error.failure === 'forbidden';
  return isRejected && !error.isTemporary ? 'final' : 'nothing-done';
}

/**
 * The client gets the response even if it cannot be recorded. A later request with the key then finds a run without a
 * response.
 */
async function afterwards(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log('warn', 'idempotency-key.not-recorded', describeError(error));
  }
}
