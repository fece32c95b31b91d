import { unmet } from '#shared/base/state-machine.ts';
import {
  type Breaker,
  type BreakerArguments,
  type BreakerTransition,
  breakerMachine,
} from '#shared/webhooks/breaker.ts';
import type { BreakerStore, OpenOrDrainingTarget } from '#shared/webhooks/breaker-store.ts';
import { newTarget, type Target, type TargetRecord } from '#shared/webhooks/subscriber.ts';
import { type Memory, type Run, type StoredTarget, targetKey } from './memory.ts';

export function breakersIn(memory: Memory, run: Run): BreakerStore {
  /** Makes a transition of a breaker; gives the target as it is then, and whether it was made. */
  function change(
    name: BreakerTransition,
    subscriber: string,
    target: Target,
    args: BreakerArguments,
    changed: (stored: StoredTarget) => StoredTarget | undefined,
  ): Promise<{ isMade: boolean; record: TargetRecord }> {
    return run(name, { subscriber, target, ...args }, () => {
      const stored = memory.targets.get(targetKey(subscriber, target));
      if (stored === undefined) return { isMade: false, record: newTarget() };
      const isPossible = unmet(breakerMachine, name, stored.record.breaker, args).length === 0;
      const after = isPossible ? changed(stored) : undefined;
      if (after === undefined) return { isMade: false, record: stored.record };
      return { isMade: true, record: memory.writeTarget(subscriber, target, after) };
    });
  }

  /** A change of the breaker alone. */
  const ofBreaker =
    (changed: (breaker: Breaker) => Breaker, listed?: boolean) =>
    (stored: StoredTarget): StoredTarget => ({
      record: { ...stored.record, breaker: changed(stored.record.breaker) },
      listed: listed ?? stored.listed,
    });

  /** A breaker with the failures of these deliveries. */
  const adding = (failed: readonly string[]) => (breaker: Breaker) => {
    const first_delivery = breaker.first_delivery ?? failed[0];
    return { ...breaker, failures: breaker.failures + failed.length, ...(first_delivery && { first_delivery }) };
  };

  return {
    read: (subscriber, target) =>
      run('read target', { subscriber, target }, () => memory.targets.get(targetKey(subscriber, target))?.record),

    async countFailures(subscriber, target, { url, failed }) {
      await change('countFailures', subscriber, target, {}, (stored) =>
        stored.record.url === url ? ofBreaker(adding(failed))(stored) : undefined,
      );
    },

    async clearFailures(subscriber, target) {
      const clear = ({ first_delivery: _, ...breaker }: Breaker) => ({ ...breaker, failures: 0 });
      await change('clearFailures', subscriber, target, {}, ofBreaker(clear));
    },

    async open(subscriber, target, { failures }, { url, failed, now, probeAt }) {
      const { isMade } = await change('open', subscriber, target, { failures }, (stored) => {
        const { drain: _, ...breaker } = adding(failed)(stored.record.breaker);
        const opened = { ...breaker, opened_at: now, probe_at: probeAt, probes: 0 };
        return stored.record.url === url ? ofBreaker(() => opened, true)(stored) : undefined;
      });
      return isMade;
    },

    async takeProbe(subscriber, target, { probe_at = 0 }, now, nextProbeAt) {
      const take = (breaker: Breaker) => ({ ...breaker, probe_at: nextProbeAt, probes: (breaker.probes ?? 0) + 1 });
      return (await change('takeProbe', subscriber, target, { now, probe_at }, ofBreaker(take))).isMade;
    },

    async pause(subscriber, target, now) {
      const pause = (breaker: Breaker) => ({ ...breaker, paused_at: now });
      return (await change('pause', subscriber, target, {}, ofBreaker(pause))).isMade;
    },

    async noteAnnounced(subscriber, target, { name, isPause }) {
      const note = (breaker: Breaker) => ({ ...breaker, announced: name });
      const transition = isPause ? 'notePauseAnnounced' : 'noteAnnounced';
      await change(transition, subscriber, target, {}, ofBreaker(note, isPause ? false : undefined));
    },

    async startDraining(subscriber, target, token, now) {
      const start = (breaker: Breaker): Breaker => {
        const { opened_at, probe_at: _, probes: __, paused_at: ___, first_delivery: ____, ...rest } = breaker;
        const last = opened_at === undefined ? {} : { last_opened_at: opened_at };
        return { ...rest, ...last, failures: 0, drain: { token, since: now, at: now } };
      };
      const { isMade, record } = await change('startDraining', subscriber, target, {}, ofBreaker(start, true));
      return isMade || record.breaker.drain?.token === token;
    },

    async continueDraining(subscriber, target, token, now, next = token) {
      const step = (breaker: Breaker): Breaker =>
        breaker.drain ? { ...breaker, drain: { ...breaker.drain, at: now, token: next } } : breaker;
      return (await change('continueDraining', subscriber, target, { token }, ofBreaker(step))).isMade;
    },

    async reset(subscriber, target) {
      await change(
        'reset',
        subscriber,
        target,
        {},
        ofBreaker(() => ({ failures: 0 })),
      );
    },

    async endDraining(subscriber, target, token) {
      await change(
        'endDraining',
        subscriber,
        target,
        { token },
        ofBreaker(() => ({ failures: 0 }), false),
      );
    },

    async *listOpenOrDraining(): AsyncGenerator<OpenOrDrainingTarget> {
      const found = await run('listOpenOrDraining', undefined, () => memory.targets.indexed(({ listed }) => listed));
      for (let from = 0; from < found.length; from += memory.pageSize) {
        yield* await run('listOpenOrDraining, read', undefined, () =>
          found.slice(from, from + memory.pageSize).flatMap((key) => {
            const [subscriber = '', target] = key.split(' ') as [string, Target];
            const stored = memory.targets.get(key);
            return stored ? [{ subscriber, target, breaker: stored.record.breaker }] : [];
          }),
        );
      }
    },
  };
}
