import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { fromItem, getRecord, readRecords, required } from '#shared/aws/item.ts';
import { indexKeys, keys } from '#shared/aws/keys.ts';
import { queryIndex } from '#shared/aws/query.ts';
import type { Table } from '#shared/aws/table.ts';
import { type Condition, conditionOf, onCondition, type Update } from '#shared/aws/transition.ts';
import { assign, succeeds, unlessUnmet } from '#shared/aws/update.ts';
import { type Breaker, type BreakerArguments, type BreakerTransition, breakerMachine } from './breaker.ts';
import { newTarget, type Target, type TargetRecord, targets } from './target.ts';
import { hasUrl, withNewVersion } from './target-store.ts';

/** A target whose circuit breaker is open, or was open and is being drained. */
export interface OpenOrDrainingTarget {
  /** The subscriber's id. */
  subscriber: string;
  target: Target;
  breaker: Breaker;
}

/** A failed attempt of the schedule. */
export interface Failure {
  delivery: string;
  /** The id of the attempt. */
  attempt: string;
}

export interface FailureCount {
  /** Where the attempts went. */
  url: string;
  failures: readonly Failure[];
  /** Whether the caller expects that no failure of the streak was counted before; the store finds out if it is wrong. */
  startsStreak: boolean;
}

/** The circuit breakers of targets. Each method makes one transition of `breakerMachine`, if the breaker permits it. */
export interface BreakerStore {
  /** Reads one circuit breaker, consistently; `undefined` when its target does not exist. */
  read(subscriber: string, target: Target): Promise<Breaker | undefined>;
  /**
   * Counts more failures in a row of attempts at a URL, in one write. The first of a streak increments the target's version,
   * so that other processes learn of the streak. Counts nothing if the target has another URL by now. The first attempt keeps
   * a write that the client repeats after a lost response from counting twice. Returns the target as it is then.
   */
  countFailures(subscriber: string, target: Target, count: FailureCount): Promise<TargetRecord>;
  /** Resets the failure count of a target that is being drained. */
  clearFailures(subscriber: string, target: Target): Promise<void>;
  /**
   * Opens the breaker, unless it is open already or the target has another URL than this one, and increments the
   * target's version. The first probe is due at `probeAt`. Returns the target as it is then.
   */
  open(subscriber: string, target: Target, now: number, probeAt: number, url: string): Promise<TargetRecord>;
  /** Takes the probe that is due. Only one of several callers gets it. `breaker` is what the caller has read. */
  takeProbe(subscriber: string, target: Target, breaker: Breaker, now: number, nextProbeAt: number): Promise<boolean>;
  /** Pauses the target until somebody resumes it; `false` when it is not open. */
  pause(subscriber: string, target: Target, now: number): Promise<boolean>;
  /** Notes the event that was announced last. After that of its pause, the target leaves `listOpenOrDraining`. */
  noteAnnounced(subscriber: string, target: Target, event: { name: string; isPause: boolean }): Promise<void>;
  /** Closes the breaker and begins a drain; `false` when it was not open. */
  startDraining(subscriber: string, target: Target, token: string, now: number): Promise<boolean>;
  /** Records that the drain continues, with the token `next` if given; `false` when another drain has begun. */
  continueDraining(subscriber: string, target: Target, token: string, now: number, next?: string): Promise<boolean>;
  /** Forgets the failures that a closed breaker counted, unless it has opened since or is being drained. */
  reset(subscriber: string, target: Target): Promise<void>;
  /** Ends the drain with this token: nothing is held for the target any more. */
  endDraining(subscriber: string, target: Target, token: string): Promise<void>;
  /** Targets whose breaker is open, or being drained. Those that are paused are left out once that is announced. */
  listOpenOrDraining(): AsyncGenerator<OpenOrDrainingTarget>;
}

/** A closed breaker that has counted no failures. */
const closed: Breaker = { failures: 0 };

/** More tries than other processes start or end the streak of a busy target while its failures are counted. */
const maxTries = 10;

/** The attributes by which `listOpenOrDraining` finds a target. */
const indexNames = ['gsi1pk', 'gsi1sk'];

/** The circuit breakers of targets, each in the item of its target. */
export function breakerStore(table: Table): BreakerStore {
  const { client, name: TableName } = table;

  /** Makes a transition of `breakerMachine`; gives the target as it is then. */
  async function change(
    name: BreakerTransition,
    subscriber: string,
    target: Target,
    args: BreakerArguments,
    update: Update,
    further?: Condition,
  ): Promise<TargetRecord> {
    const condition = conditionOf(breakerMachine, name, args, { within: 'breaker' });
    const expressions = [condition.ConditionExpression, further?.ConditionExpression];
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName,
        Key: keys.target(subscriber, target),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ...onCondition(further ? onCondition(update, further) : update, {
          ...condition,
          ConditionExpression: ['attribute_exists(pk)', ...expressions.filter(Boolean)].join(' AND '),
        }),
      }),
    );
    return required(fromItem<TargetRecord>(Attributes));
  }

  /** The target as it is where a transition was not possible. The target of a deleted subscriber has nothing. */
  const unchanged = ({ item }: { item: Record<string, unknown> | undefined }) =>
    fromItem<TargetRecord>(item) ?? newTarget();

  return {
    async read(subscriber: string, target: Target): Promise<Breaker | undefined> {
      return (await getRecord<TargetRecord>(table, keys.target(subscriber, target)))?.breaker;
    },

    async countFailures(subscriber: string, target: Target, { url, failures, startsStreak }: FailureCount) {
      const first = required(failures[0]);
      const count = additionOf(first, failures.length);

      /** Counts them as the first of a streak or as further ones. Returns nothing if the streak is not as expected. */
      function tryToCount(areFirst: boolean): Promise<TargetRecord | undefined> {
        const update = areFirst ? withNewVersion(count) : count;
        const condition = countCondition(url, areFirst);
        const counting = change('countFailures', subscriber, target, { attempt: first.attempt }, update, condition);
        return unlessUnmet<TargetRecord | undefined>(counting, (unmet) => {
          const record = unchanged(unmet);
          const isDone = record.url !== url || record.breaker.last_counted === first.attempt;
          return isDone ? record : undefined;
        });
      }

      for (let tries = 0, areFirst = startsStreak; tries < maxTries; tries++, areFirst = !areFirst) {
        const counted = await tryToCount(areFirst);
        if (counted) return counted;
        // Another process started the streak meanwhile, or ended it.
      }
      throw new Error('Failures were not counted: other processes kept starting and ending the streak');
    },

    async clearFailures(subscriber: string, target: Target): Promise<void> {
      const clear = assign({ 'breaker.failures': 0 }, ['breaker.first_delivery']);
      await succeeds(change('clearFailures', subscriber, target, {}, clear));
    },

    open(subscriber: string, target: Target, now: number, probeAt: number, url: string): Promise<TargetRecord> {
      const opened = { 'breaker.opened_at': now, 'breaker.probe_at': probeAt, 'breaker.probes': 0 };
      const index = indexKeys.tripped(subscriber, target);
      const open = withNewVersion(assign({ ...opened, ...index }, ['breaker.drain']));
      return unlessUnmet(change('open', subscriber, target, {}, open, hasUrl(url)), unchanged);
    },

    takeProbe(
      subscriber: string,
      target: Target,
      { probe_at = 0 }: Breaker,
      now: number,
      nextProbeAt: number,
    ): Promise<boolean> {
      const counted = { 'breaker.probes': '#breaker.#probes + :one' };
      const take = assign({ 'breaker.probe_at': nextProbeAt }, [], counted, { ':one': 1 });
      return succeeds(change('takeProbe', subscriber, target, { now, probe_at }, take));
    },

    pause: (subscriber: string, target: Target, now: number): Promise<boolean> =>
      succeeds(change('pause', subscriber, target, {}, assign({ 'breaker.paused_at': now }))),

    async noteAnnounced(subscriber: string, target: Target, event: { name: string; isPause: boolean }): Promise<void> {
      const update = assign({ 'breaker.announced': event.name }, event.isPause ? indexNames : []);
      const transition = event.isPause ? 'notePauseAnnounced' : 'noteAnnounced';
      await succeeds(change(transition, subscriber, target, {}, update));
    },

    startDraining(subscriber: string, target: Target, token: string, now: number): Promise<boolean> {
      const drain = { token, since: now, at: now };
      const ended = ['opened_at', 'probe_at', 'probes', 'paused_at', 'first_delivery'];
      const draining = assign(
        { 'breaker.drain': drain, 'breaker.failures': 0, ...indexKeys.tripped(subscriber, target) },
        ended.map((name) => `breaker.${name}`),
        { 'breaker.last_opened_at': '#breaker.#opened_at' },
      );
      return unlessUnmet(
        change('startDraining', subscriber, target, {}, draining).then(() => true),
        // The client repeats a write whose response was lost.
        (unmet) => unchanged(unmet).breaker.drain?.token === token,
      );
    },

    continueDraining(subscriber: string, target: Target, token: string, now: number, next = token): Promise<boolean> {
      const step = assign({ 'breaker.drain.at': now, 'breaker.drain.token': next });
      return succeeds(change('continueDraining', subscriber, target, { token }, step));
    },

    async reset(subscriber: string, target: Target): Promise<void> {
      await succeeds(change('reset', subscriber, target, {}, assign({ breaker: closed })));
    },

    async endDraining(subscriber: string, target: Target, token: string): Promise<void> {
      await succeeds(change('endDraining', subscriber, target, { token }, assign({ breaker: closed }, indexNames)));
    },

    listOpenOrDraining: () =>
      readRecords<OpenOrDrainingTarget>(table, queryIndex(table, 'gsi1', indexKeys.tripped('any', 'webhook').gsi1pk), {
        toRecord: (item) => item && { ...idsOfTarget(item), breaker: required(fromItem<TargetRecord>(item)).breaker },
      }),
  };
}

/** The update that adds this failure and those that came with it to a streak. */
function additionOf({ delivery, attempt }: Failure, count: number): Update {
  const counted = {
    'breaker.first_delivery': 'if_not_exists(#breaker.#first_delivery, :delivery)',
    'breaker.failures': '#breaker.#failures + :count',
  };
  return assign({ 'breaker.last_counted': attempt }, [], counted, { ':delivery': delivery, ':count': count });
}

/** Whether failures at this URL can be counted as the first ones of a streak, or as further ones. */
const countCondition = (url: string, areFirst: boolean): Condition => ({
  ConditionExpression: `#url = :url AND #breaker.#failures ${areFirst ? '=' : '>'} :none`,
  ExpressionAttributeNames: { '#url': 'url' },
  ExpressionAttributeValues: { ':url': url, ':none': 0 },
});

/** The ids in the key of a target. */
function idsOfTarget({ pk, sk }: Record<string, unknown>): { subscriber: string; target: Target } {
  const target = targets.find((each) => sk === keys.target('any', each).sk);
  if (target === undefined) throw new TypeError(`Not the key of a target: ${JSON.stringify(sk)}`);
  return { subscriber: String(pk).slice('SUBSCRIBER#'.length), target };
}
