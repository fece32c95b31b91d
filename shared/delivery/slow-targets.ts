import { BoundedMap } from '#shared/base/cache.ts';
import { describeError, log } from '#shared/base/logger.ts';
import { type After, afterTimeout, type Clock, minuteMs } from '#shared/base/time.ts';
import type { Attempt } from '#shared/egress/sender.ts';
import { isNotedAsSlow, type Target } from '#shared/webhooks/target.ts';
import type { DeliverySettings, TargetStore } from '#shared/webhooks/target-store.ts';
import { slowAttemptsPerBatch } from './delivery.ts';

/** An attempt is slow if the receiver takes longer, from the ready connection on. */
const slowAfterMs = 500;

/**
 * The same for the first attempts of a process at a target: the handshakes of other attempts, in cold code, share its
 * processor.
 */
const slowAtFirstAfterMs = 1_000;

/** A target is slow while most of so many latest attempts of a process were: a busy one always has a slow attempt. */
const latestAttempts = 16;

/** How long a target counts as slow after a process has noted it. */
const notedForMs = minuteMs;

/** A note is renewed when it is older than this. */
const renewedAfterMs = 15_000;

/** The most targets whose attempts are remembered. */
const maxTargets = 1_000;

/** Keeps targets that are slow but correct from delaying others, in one batch of messages. */
export interface SlowTargets {
  /** Whether this or another process has noted the target as slow. Its messages then go to the slow queue. */
  isSlow(settings: DeliverySettings, target: Target): boolean;
  /** Whether the batch may make one more attempt at a target for a message from the slow queue. */
  admits(settings: DeliverySettings, target: Target): boolean;
  /**
   * Makes an attempt, and notes for all processes if its target is slow. The receiver's time begins when the attempt
   * calls `onReady`: resolving names and opening connections takes long in a cold process, whatever the receiver does.
   */
  watch(settings: DeliverySettings, target: Target, make: (onReady: () => void) => Promise<Attempt>): Promise<Attempt>;
}

/** What a process remembers of a target. */
interface LatestAttempts {
  /** Whether each of the latest attempts was slow. */
  slow: boolean[];
  notedUntil: number;
}

/** Remembers between the batches of a process which targets are slow. */
export function rememberSlowTargets(
  { noteSlow }: Pick<TargetStore, 'noteSlow'>,
  now: Clock,
  after: After = afterTimeout,
): { forBatch(): SlowTargets } {
  const targets = new BoundedMap<string, LatestAttempts>(maxTargets);

  /** What happened at one URL says nothing about the next. */
  function latestOf({ subscriber, targets: records }: DeliverySettings, target: Target): LatestAttempts {
    const key = `${subscriber.id} ${target} ${records[target].url}`;
    return targets.getOrInsertComputed(key, () => ({ slow: [], notedUntil: 0 }));
  }

  /** Adds an attempt. A target that has become slow, or still is, is noted if no recent note says so. */
  async function add(isSlowAttempt: boolean, settings: DeliverySettings, target: Target): Promise<void> {
    const { id } = settings.subscriber;
    const { url, slow_until = 0 } = settings.targets[target];
    const latest = latestOf(settings, target);
    latest.slow = [...latest.slow, isSlowAttempt].slice(-latestAttempts);
    const notedUntil = Math.max(latest.notedUntil, slow_until);
    const until = now() + notedForMs;
    const enough = until - renewedAfterMs;
    if (url === undefined || !isSlowAttempt || !isUsuallySlow(latest) || notedUntil > enough) return;
    latest.notedUntil = until;
    await noteSlow(id, target, { url, until, enough }).catch((error) =>
      // The attempt counts, whether or not others learn how long it took.
      log('warn', 'target.slow-not-noted', { subscriber: id, target, ...describeError(error) }),
    );
  }

  return {
    forBatch() {
      const admitted = new Map<LatestAttempts, number>();
      return {
        isSlow: (settings, target) =>
          isNotedAsSlow(settings.targets[target], now()) || latestOf(settings, target).notedUntil > now(),

        admits(settings, target) {
          const latest = latestOf(settings, target);
          const before = admitted.get(latest) ?? 0;
          admitted.set(latest, before + 1);
          return before < slowAttemptsPerBatch || (latest.slow.length > 0 && !isUsuallySlow(latest));
        },

        async watch(settings, target, make) {
          const limitMs = latestOf(settings, target).slow.length === 0 ? slowAtFirstAfterMs : slowAfterMs;
          let noted: Promise<void> | undefined;
          const note = () => {
            noted ??= add(true, settings, target);
          };
          let cancel = () => {};
          const onReady = () => {
            cancel();
            // Others learn it before the attempt has ended.
            cancel = after(limitMs + 1, note);
          };
          const attempt = await make(onReady).finally(() => cancel());
          // Without a connection, the attempt has failed, and took up a place in the batch all the same.
          if ((attempt.receiverMs ?? attempt.durationMs) > limitMs) note();
          await (noted ?? add(false, settings, target));
          return attempt;
        },
      };
    },
  };
}

const isUsuallySlow = ({ slow }: LatestAttempts) => 2 * slow.filter(Boolean).length > slow.length;

/** Returns the seconds for which a message of the slow queue is put back. `random` is in [0, 1). */
export function putBackSeconds(random: number): number {
  return 1 + 2 * random;
}
