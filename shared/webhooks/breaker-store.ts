import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { indexKeys, keys } from '#shared/aws/keys.ts';
import { fromItem, getRecord, queryIndex, readRecords, required, type Table } from '#shared/aws/table.ts';
import {
  assign,
  type Condition,
  conditionOf,
  onCondition,
  succeeds,
  type Update,
  unlessUnmet,
} from '#shared/aws/write.ts';
import { type Breaker, type BreakerArguments, type BreakerTransition, breakerMachine } from './breaker.ts';
import type { Target, TargetRecord } from './subscriber.ts';
import { targetOf } from './subscriber-store.ts';
import { hasUrl } from './target-change-store.ts';

/** A target whose circuit breaker is open, or was open and is being drained. */
export interface OpenOrDrainingTarget {
  /** The subscriber's id. */
  subscriber: string;
  target: Target;
  breaker: Breaker;
}

/** Failed attempts of the schedule at one URL of a target. */
export interface Failures {
  /** Where the attempts went. */
  url: string;
  /** The deliveries that failed, at least one. */
  failed: readonly string[];
}

/** The circuit breakers of targets. Each method makes one transition of `breakerMachine`, if the breaker permits it. */
export type BreakerStore = ReturnType<typeof breakerStore>;

/** A closed breaker that has counted no failures. */
const closed: Breaker = { failures: 0 };

/** The attributes by which `listOpenOrDraining` finds a target. */
const indexNames = ['gsi1pk', 'gsi1sk'];

/** The circuit breakers, each in the item of its target. */
export function breakerStore(table: Table) {
  const { client, name: TableName } = table;

  /** Makes a transition of `breakerMachine`. */
  function change(
    name: BreakerTransition,
    subscriber: string,
    target: Target,
    args: BreakerArguments,
    update: Update,
    further?: Condition,
  ): Promise<unknown> {
    const condition = conditionOf(breakerMachine, name, args, { within: 'breaker' });
    const expressions = [condition.ConditionExpression, further?.ConditionExpression];
    return client.send(
      new UpdateCommand({
        TableName,
        Key: keys.target(subscriber, target),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ...onCondition(further ? onCondition(update, further) : update, {
          ...condition,
          ConditionExpression: ['attribute_exists(pk)', ...expressions.filter(Boolean)].join(' AND '),
        }),
      }),
    );
  }

  return {
    /** Reads a target, consistently; `undefined` when it does not exist. */
    read: (subscriber: string, target: Target) => getRecord<TargetRecord>(table, keys.target(subscriber, target)),

    /** Counts more failures in a row, unless the breaker is open or the target has another URL by now. */
    async countFailures(subscriber: string, target: Target, { url, failed }: Failures): Promise<void> {
      const { computed, values } = additionOf(failed);
      const count = assign({}, [], computed, values);
      await succeeds(change('countFailures', subscriber, target, {}, count, hasUrl(url)));
    },

    /** Forgets the failures of a target that is being drained. */
    async clearFailures(subscriber: string, target: Target): Promise<void> {
      const clear = assign({ 'breaker.failures': 0 }, ['breaker.first_delivery']);
      await succeeds(change('clearFailures', subscriber, target, {}, clear));
    },

    /**
     * Counts the failures that open the breaker, and opens it. `false` if it is open already, the target has another URL
     * by now, or the count is not that of `breaker` any more. The first probe is due at `probeAt`.
     */
    open(
      subscriber: string,
      target: Target,
      { failures }: Breaker,
      { url, failed, now, probeAt }: Failures & { now: number; probeAt: number },
    ): Promise<boolean> {
      const opened = { 'breaker.opened_at': now, 'breaker.probe_at': probeAt, 'breaker.probes': 0 };
      const index = indexKeys.tripped(subscriber, target);
      const { computed, values } = additionOf(failed);
      const open = assign({ ...opened, ...index }, ['breaker.drain'], computed, values);
      return succeeds(change('open', subscriber, target, { failures }, open, hasUrl(url)));
    },

    /** Takes the probe that is due. Only one of several callers gets it. `breaker` is what the caller has read. */
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

    /** Pauses the target until somebody resumes it; `false` when it is not open. */
    pause: (subscriber: string, target: Target, now: number): Promise<boolean> =>
      succeeds(change('pause', subscriber, target, {}, assign({ 'breaker.paused_at': now }))),

    /** Notes the event that was announced last. After that of its pause, the target leaves `listOpenOrDraining`. */
    async noteAnnounced(subscriber: string, target: Target, event: { name: string; isPause: boolean }): Promise<void> {
      const update = assign({ 'breaker.announced': event.name }, event.isPause ? indexNames : []);
      const transition = event.isPause ? 'notePauseAnnounced' : 'noteAnnounced';
      await succeeds(change(transition, subscriber, target, {}, update));
    },

    /** Closes the breaker and begins a drain; `false` when it was not open. */
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
        ({ item }) => fromItem<TargetRecord>(item)?.breaker.drain?.token === token,
      );
    },

    /** Records that the drain continues, with the token `next` if given; `false` when another drain has begun. */
    continueDraining(subscriber: string, target: Target, token: string, now: number, next = token): Promise<boolean> {
      const step = assign({ 'breaker.drain.at': now, 'breaker.drain.token': next });
      return succeeds(change('continueDraining', subscriber, target, { token }, step));
    },

    /** Forgets the failures that a closed breaker counted, unless it has opened since or is being drained. */
    async reset(subscriber: string, target: Target): Promise<void> {
      await succeeds(change('reset', subscriber, target, {}, assign({ breaker: closed })));
    },

    /** Ends the drain with this token: nothing is held for the target any more. */
    async endDraining(subscriber: string, target: Target, token: string): Promise<void> {
      await succeeds(change('endDraining', subscriber, target, { token }, assign({ breaker: closed }, indexNames)));
    },

    /** Lists targets whose breaker is open or being drained. Those that are paused are left out once that is announced. */
    listOpenOrDraining: () =>
      readRecords<OpenOrDrainingTarget>(table, queryIndex(table, 'gsi1', indexKeys.tripped('any', 'webhook').gsi1pk), {
        toRecord: (item) => item && { ...idsOfTarget(item), breaker: required(fromItem<TargetRecord>(item)).breaker },
      }),
  };
}

/** What the failures of these deliveries add to a streak, as expressions and their values. */
const additionOf = (failed: readonly string[]) => ({
  computed: {
    'breaker.first_delivery': 'if_not_exists(#breaker.#first_delivery, :delivery)',
    'breaker.failures': '#breaker.#failures + :count',
  },
  values: { ':delivery': failed[0], ':count': failed.length },
});

/** The ids in the key of a target. */
function idsOfTarget(item: Record<string, unknown>): { subscriber: string; target: Target } {
  const target = targetOf(item);
  if (target === undefined) throw new TypeError(`Not the key of a target: ${JSON.stringify(item.sk)}`);
  return { subscriber: String(item.pk).slice('SUBSCRIBER#'.length), target };
}
