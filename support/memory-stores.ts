import { unmet } from '#shared/base/state-machine.ts';
import {
  type AttemptRecord,
  absentIn,
  type Claim,
  type ClaimedDelivery,
  type Delivery,
  type DeliveryArguments,
  type DeliveryKey,
  type DeliveryState,
  type DeliveryTransition,
  type DueDelivery,
  ownClaim,
  type UnclaimedReason,
  unclaimed,
  unclaimedReason,
  unmetBy,
} from '#shared/delivery/delivery.ts';
import type { DeliveryFilter } from '#shared/delivery/delivery-list-store.ts';
import { type DeliveryStore, maxKeptAttempts, maxKeptReplays } from '#shared/delivery/delivery-store.ts';
import { newDelivery } from '#shared/delivery/notification.ts';
import {
  type Breaker,
  type BreakerArguments,
  type BreakerTransition,
  breakerMachine,
} from '#shared/webhooks/breaker.ts';
import type { BreakerStore, OpenOrDrainingTarget } from '#shared/webhooks/breaker-store.ts';
import type { NumberStore } from '#shared/webhooks/number-store.ts';
import {
  builtInTargets,
  builtInTargetsOf,
  type DeliverySettings,
  isNamed,
  maxNamedTargets,
  nameOf,
  newTarget,
  type PhoneNumber,
  type Subscriber,
  type Target,
  type TargetRecord,
} from '#shared/webhooks/subscriber.ts';
import type { SecretStore, TargetStore } from '#shared/webhooks/subscriber-store.ts';
import type { StoredTargetChanges } from '#shared/webhooks/target-change-store.ts';
import { createSecret, type OwnSecrets, type SubscriberSecrets } from '#shared/webhooks/webhook-signature.ts';

/** A delivery, and the key by which the sweep finds it, if it waits. */
type StoredDelivery = Delivery & { due_key?: string };

/** A target. The sweep finds those that are `listed`. */
export interface StoredTarget {
  record: TargetRecord;
  listed: boolean;
}

/** Told of every write, before the next one. */
export interface Observer {
  subscriber?(after: Subscriber): void;
  target?(subscriber: string, target: Target, before: StoredTarget | undefined, after: StoredTarget): void;
  targetDeleted?(subscriber: string, target: Target): void;
  secrets?(subscriber: string, after: SubscriberSecrets): void;
  delivery?(before: Delivery | undefined, after: Delivery): void;
}

export interface MemoryOptions {
  now?: () => number;
  /** After how many milliseconds an index shows a write. */
  indexLagMs?: () => number;
  /** How many records a page of a list has. */
  pageSize?: number;
  observer?: Observer;
}

interface Row<T> {
  value: T;
  /** What indexes show until `shownAt`. */
  before: T | undefined;
  shownAt: number;
}

/** Records of one kind. Reads are consistent; `indexed` shows what an index would, some time later. */
class Rows<T> {
  readonly #rows = new Map<string, Row<T>>();
  readonly #now: () => number;
  readonly #lagMs: () => number;

  constructor({ now = () => 0, indexLagMs = () => 0 }: MemoryOptions) {
    this.#now = now;
    this.#lagMs = indexLagMs;
  }

  get(key: string): T | undefined {
    return this.#rows.get(key)?.value;
  }

  set(key: string, value: T): void {
    const row = this.#rows.get(key);
    const before = row && this.#shown(row);
    this.#rows.set(key, { value, before, shownAt: this.#now() + this.#lagMs() });
  }

  delete(key: string): void {
    this.#rows.delete(key);
  }

  keys(): string[] {
    return [...this.#rows.keys()];
  }

  values(): T[] {
    return [...this.#rows.values()].map(({ value }) => value);
  }

  /** The keys of the records of which an index shows what the filter wants. */
  indexed(isWanted: (value: T) => boolean): string[] {
    return [...this.#rows].flatMap(([key, row]) => {
      const shown = this.#shown(row);
      return shown !== undefined && isWanted(shown) ? [key] : [];
    });
  }

  #shown({ value, before, shownAt }: Row<T>): T | undefined {
    return this.#now() < shownAt ? before : value;
  }
}

/** What is stored of subscribers and deliveries, in memory. */
export class Memory {
  readonly subscribers: Rows<Subscriber>;
  readonly targets: Rows<StoredTarget>;
  readonly secrets: Rows<SubscriberSecrets>;
  readonly deliveries: Rows<StoredDelivery>;
  readonly pageSize: number;
  readonly observer: Observer;

  constructor(options: MemoryOptions = {}) {
    this.subscribers = new Rows(options);
    this.targets = new Rows(options);
    this.secrets = new Rows(options);
    this.deliveries = new Rows(options);
    this.pageSize = options.pageSize ?? 100;
    this.observer = options.observer ?? {};
  }

  writeTarget(subscriber: string, target: Target, after: StoredTarget): TargetRecord {
    const key = targetKey(subscriber, target);
    const before = this.targets.get(key);
    this.targets.set(key, after);
    this.observer.target?.(subscriber, target, before, after);
    return after.record;
  }

  deleteTarget(subscriber: string, target: Target): void {
    this.targets.delete(targetKey(subscriber, target));
    this.observer.targetDeleted?.(subscriber, target);
  }

  /** The targets of a subscriber that exist, in the order of their creation. */
  targetsOf(subscriber: string): Target[] {
    const prefix = `${subscriber} `;
    return this.targets.keys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length) as Target] : []));
  }

  writeSubscriber(subscriber: Subscriber): void {
    this.subscribers.set(subscriber.id, subscriber);
    this.observer.subscriber?.(subscriber);
  }

  writeSecrets(subscriber: string, secrets: SubscriberSecrets): void {
    this.secrets.set(subscriber, secrets);
    this.observer.secrets?.(subscriber, secrets);
  }

  /** A number, or a workspace, with its targets and a secret. */
  addSubscriber(subscriber: Subscriber, secret: string): void {
    this.writeSubscriber(subscriber);
    for (const target of builtInTargetsOf(subscriber)) {
      this.writeTarget(subscriber.id, target, { record: newTarget(), listed: false });
    }
    this.writeSecrets(subscriber.id, { current: secret, headers: {} });
  }

  removeDelivery(delivery: DeliveryKey): void {
    this.deliveries.delete(deliveryKey(delivery));
  }

  writeDelivery(after: StoredDelivery): void {
    const key = deliveryKey(after);
    const before = this.deliveries.get(key);
    this.deliveries.set(key, after);
    this.observer.delivery?.(before, after);
  }
}

/** Carries out one call of the store: a read, or a write with its condition. The simulation makes it fail. */
export type Run = <T>(action: string, detail: unknown, effect: () => T) => Promise<T>;

const atOnce: Run = async (_action, _detail, effect) => effect();

/**
 * The stores of deliveries and subscribers in memory. They interpret the transitions that the real stores compile to
 * conditional writes. A test drives both through the same operations.
 */
export function memoryStores(memory: Memory, run: Run = atOnce) {
  return {
    deliveries: deliveriesIn(memory, run),
    breakers: breakersIn(memory, run),
    targets: targetsIn(memory, run),
    secrets: secretsIn(memory, run),
    numbers: numbersIn(memory, run),
  };
}

export type MemoryStores = ReturnType<typeof memoryStores>;

const targetKey = (subscriber: string, target: Target) => `${subscriber} ${target}`;
const deliveryKey = ({ subscriber, target, id }: DeliveryKey) => `${subscriber} ${target} ${id}`;
const dueBefore = (at: number) => `${String(Math.round(at)).padStart(15, '0')}#`;

interface Change {
  args: DeliveryArguments;
  due?: number | undefined;
  set?: Partial<Delivery>;
}

function deliveriesIn(memory: Memory, run: Run): DeliveryStore {
  const { deliveries, pageSize } = memory;

  /** Makes a transition, or returns the stored delivery that it is not possible for. */
  function change(name: DeliveryTransition, key: DeliveryKey, state: DeliveryState, { args, due, set = {} }: Change) {
    const stored = deliveries.get(deliveryKey(key));
    if (stored === undefined || unmetBy(stored, name, args).length > 0) return { stored };
    const removed = new Set<string>(['due_key', ...absentIn[state]]);
    const kept = Object.entries(stored).filter(([member]) => !removed.has(member));
    const changed = { ...Object.fromEntries(kept), state, ...defined(set), ...dueKey(key, due) } as StoredDelivery;
    memory.writeDelivery(changed);
    return { changed };
  }

  const make = (name: DeliveryTransition, key: DeliveryKey, state: DeliveryState, how: Change) =>
    run(name, { ...key, ...how.args, ...how.set }, () => change(name, key, state, how));

  function create(name: DeliveryTransition, delivery: Delivery): Promise<Delivery | undefined> {
    return run(name, { id: delivery.id, state: delivery.state, lease: delivery.lease }, () => {
      const stored = deliveries.get(deliveryKey(delivery));
      if (stored === undefined) memory.writeDelivery(delivery);
      return stored && record(stored);
    });
  }

  async function claim(
    name: DeliveryTransition,
    key: DeliveryKey,
    lease: ClaimedDelivery['lease'],
    args: DeliveryArguments & { now: number },
    setFor: (stored: Delivery) => Partial<Delivery> = () => ({}),
  ): Promise<Claim> {
    return run(name, { ...key, ...args, lease }, () => {
      const found = deliveries.get(deliveryKey(key));
      const set = { ...(found && setFor(found)), lease };
      const { changed, stored } = change(name, key, 'sending', { args, set });
      if (changed) return { claimed: { ...record(changed), lease } };
      return ownClaim(stored && record(stored), lease) ?? unclaimed(name, stored, args);
    });
  }

  async function setAside<State extends 'held' | 'discarded'>(
    name: DeliveryTransition,
    key: DeliveryKey,
    state: State,
    args: DeliveryArguments & { now: number },
  ): Promise<State | UnclaimedReason> {
    const { changed, stored } = await make(name, key, state, { args });
    return changed ? state : unclaimedReason(stored, args.now);
  }

  const succeeds = async (name: DeliveryTransition, key: DeliveryKey, state: DeliveryState, how: Change) =>
    (await make(name, key, state, how)).changed !== undefined;

  const discard = (message: DeliveryKey, now: number) => setAside('discard', message, 'discarded', { now });

  /** Finds deliveries by an index, then reads them page by page. */
  async function* list(
    action: string,
    isWanted: (delivery: StoredDelivery) => boolean,
    place: (delivery: StoredDelivery) => string,
    order: 'newest-first' | 'oldest-first' = 'oldest-first',
  ): AsyncGenerator<StoredDelivery> {
    const sorted = await run(action, undefined, () => {
      const found = deliveries.indexed(isWanted).flatMap((key) => deliveries.get(key) ?? []);
      const inOrder = found.sort((one, other) => (place(one) < place(other) ? -1 : 1));
      return (order === 'oldest-first' ? inOrder : inOrder.reverse()).map(deliveryKey);
    });
    for (let from = 0; from < sorted.length; from += pageSize) {
      const page = sorted.slice(from, from + pageSize);
      yield* await run(`${action}, read`, undefined, () => page.flatMap((key) => deliveries.get(key) ?? []));
    }
  }

  return {
    async claimFirst(message, lease, now) {
      const delivery: ClaimedDelivery = { ...newDelivery(message), state: 'sending', lease };
      const stored = await create('claimFirst', delivery);
      if (stored === undefined) return { claimed: delivery };
      const own = ownClaim(stored, lease);
      if (own) return own;
      const args = { attempt_count: 0, now };
      if (unmetBy(stored, 'takeOver', args).length === 0) return claim('takeOver', message, lease, args);
      return { why: stored.attempt_count === 0 ? unclaimedReason(stored, now) : 'repeat' };
    },

    claimRetry: (message, lease, now) =>
      claim('claimRetry', message, lease, { attempt_count: message.attempt_count, now }),

    claimProbe: (message, lease, now) =>
      claim('claimProbe', message, lease, { attempt_count: message.attempt_count, now }),

    async claimReplay(message, lease, now) {
      const { replay } = message;
      const ofReplay = { ...lease, replay };
      const claimed = await claim('claimReplay', message, ofReplay, { replay, now }, (stored) => ({
        previous_state: stored.previous_state ?? stored.state,
        replays: [...stored.replays, replay],
      }));
      if (claimed.claimed || claimed.why === 'in-progress') return claimed;
      return claim('resumeReplay', message, ofReplay, { replay, now });
    },

    async hold(message, now) {
      const hold = (attempt_count: number) => setAside('hold', message, 'held', { attempt_count, now });
      if (message.task === 'retry') return hold(message.attempt_count);
      const stored = await create('holdFirst', { ...newDelivery(message), state: 'held' });
      return stored === undefined ? 'held' : hold(0);
    },

    async discardFirst(message, now) {
      const stored = await create('discardFirst', { ...newDelivery(message), state: 'discarded' });
      return stored === undefined ? 'discarded' : discard(message, now);
    },

    discard,

    record(claimed, { state, attempt, attempt_count, next_attempt_at, look_after_at: due }) {
      const attempts: AttemptRecord[] = [...claimed.attempts, attempt].slice(-maxKeptAttempts);
      const replays = claimed.replays.length > maxKeptReplays ? claimed.replays.slice(-maxKeptReplays) : undefined;
      const set = { attempt_count, attempts, replays, next_attempt_at } as Partial<Delivery>;
      return succeeds('record', claimed, state, { args: { holder: claimed.lease.holder }, due, set });
    },

    get: (subscriber, id, targets) =>
      run('get', { id }, () => {
        const found = targets.flatMap((each) => deliveries.get(deliveryKey({ subscriber, target: each, id })) ?? []);
        return found[0] && record(found[0]);
      }),

    insert: (delivery, lookAfterAt) =>
      run('insert', { id: delivery.id }, () => memory.writeDelivery({ ...delivery, ...dueKey(delivery, lookAfterAt) })),

    async *search({ subscriber, targets, order, after, filter }) {
      const isBehind = (id: string) => after === undefined || (order === 'oldest-first' ? id > after : id < after);
      const isWanted = (delivery: Delivery) =>
        delivery.subscriber === subscriber && targets.includes(delivery.target) && isBehind(delivery.id);
      for await (const delivery of list('search', isWanted, ({ id }) => id, order)) {
        yield { id: delivery.id, ...(passes(delivery, filter) && { delivery: record(delivery) }) };
      }
    },

    async *listDue(before) {
      const isDue = ({ due_key }: StoredDelivery) => due_key !== undefined && due_key < dueBefore(before);
      for await (const delivery of list('listDue', isDue, ({ due_key = '' }) => due_key)) {
        // The index may lag behind: a delivery that another sweep has postponed is not due.
        if (delivery.state === 'waiting' && isDue(delivery)) yield delivery as DueDelivery;
      }
    },

    postpone: (due, until) => succeeds('postpone', due, 'waiting', { args: { due_key: due.due_key }, due: until }),

    async release(held, now, lookAfterAt) {
      const outcomes = await Promise.allSettled(
        held.map((delivery) => {
          const args = { attempt_count: delivery.attempt_count };
          return succeeds('release', delivery, 'waiting', { args, due: lookAfterAt, set: { next_attempt_at: now } });
        }),
      );
      return {
        released: held.filter((_, place) => outcomes[place]?.status === 'fulfilled'),
        errors: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
      };
    },

    async *listHeld(subscriber, target, { after, order = 'oldest-first' } = {}) {
      const isBehind = (id: string) => after === undefined || (order === 'oldest-first' ? id > after : id < after);
      const isHeld = (delivery: Delivery) =>
        delivery.subscriber === subscriber && delivery.target === target && delivery.state === 'held';
      const isWanted = (delivery: Delivery) => isHeld(delivery) && isBehind(delivery.id);
      for await (const delivery of list('listHeld', isWanted, ({ id }) => id, order)) {
        if (isHeld(delivery)) yield record(delivery);
      }
    },
  };
}

/** A delivery as its store returns it. */
function record({ due_key: _, ...delivery }: StoredDelivery): Delivery {
  return delivery;
}

const dueKey = ({ id }: DeliveryKey, due: number | undefined) =>
  due === undefined ? {} : { due_key: dueBefore(due) + id };

const defined = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const passes = (delivery: Delivery, { since = 0, until, state }: DeliveryFilter) =>
  delivery.created_at >= since &&
  (until === undefined || delivery.created_at <= until) &&
  (state === undefined || delivery.state === state);

/** The record with another value of a member, without it (`null`), or as it is (`undefined`). */
function assigned<T extends object, Name extends keyof T>(record: T, name: Name, value: T[Name] | null | undefined): T {
  if (value === undefined) return record;
  const { [name]: _, ...others } = record;
  return (value === null ? others : { ...others, [name]: value }) as T;
}

/** A change that affects deliveries has a new version, which the members in `notes` get, too. */
function withNewVersion(target: TargetRecord, ...notes: ('removed_version' | 'secrets_version')[]): TargetRecord {
  const version = target.version + 1;
  return { ...target, version, ...Object.fromEntries(notes.map((note) => [note, version])) };
}

function breakersIn(memory: Memory, run: Run): BreakerStore {
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

function targetsIn(memory: Memory, run: Run): TargetStore {
  function settingsOf(id: string): DeliverySettings | undefined {
    const subscriber = memory.subscribers.get(id);
    if (subscriber === undefined) return undefined;
    const recordOf = (target: Target) => memory.targets.get(targetKey(id, target))?.record ?? newTarget();
    const all = new Set<Target>([...builtInTargets, ...memory.targetsOf(id)]);
    const targets = Object.fromEntries(Array.from(all, (target) => [target, { ...recordOf(target) }]));
    return { subscriber: { ...subscriber }, targets } as DeliverySettings;
  }

  return {
    read: (subscriber) => run('read', { subscriber }, () => settingsOf(subscriber)),

    findByPhoneNumberId: (phoneNumberId) =>
      run('findByPhoneNumberId', { phoneNumberId }, () => {
        const numbers = memory.subscribers.values() as PhoneNumber[];
        const number = numbers.find(({ phone_number_id }) => phone_number_id === phoneNumberId);
        return number && (settingsOf(number.id) as DeliverySettings & { subscriber: PhoneNumber });
      }),

    setUrls: (subscriber, urls, seen = {}) =>
      run('setUrls', { subscriber, urls }, () => {
        const changes = Object.entries(urls) as [Target, string | null][];
        const stored = changes.map(([target]) => {
          const found = memory.targets.get(targetKey(subscriber, target));
          const version = seen[target]?.version ?? found?.record.version;
          return found?.record.version === version ? found : undefined;
        });
        if (stored.includes(undefined)) return false;
        for (const [index, [target, url]] of changes.entries()) {
          const { record, listed } = stored[index] as StoredTarget;
          const { url: _, ...others } = record;
          const changed = url === null ? withNewVersion(others, 'removed_version') : withNewVersion({ ...others, url });
          memory.writeTarget(subscriber, target, { record: changed, listed });
        }
        return true;
      }),

    changeTarget: (subscriber, target, { version, ...changes }) =>
      run('changeTarget', { subscriber, target, ...changes, version }, () => {
        const stored = memory.targets.get(targetKey(subscriber, target));
        const secrets = memory.secrets.get(subscriber);
        if (!stored || !secrets || (version !== undefined && stored.record.version !== version)) return false;
        const changed = changedSecrets(secrets, target, changes);
        const notes = [
          ...(changes.url === null ? (['removed_version'] as const) : []),
          ...(changed ? (['secrets_version'] as const) : []),
        ];
        const record = withNewVersion(changedRecord(stored.record, changes), ...notes);
        memory.writeTarget(subscriber, target, { ...stored, record });
        if (changed) memory.writeSecrets(subscriber, changed);
        return true;
      }),

    createTarget: (subscriber, target, { secret, app_secret, verify_token, ...settings }) =>
      run('createTarget', { subscriber, target, ...settings }, () => {
        const secrets = memory.secrets.get(subscriber);
        const names = memory.targetsOf(subscriber).filter(isNamed).map(nameOf);
        if (!secrets || names.includes(nameOf(target)) || names.length >= maxNamedTargets) return false;
        const headers = settings.headers ?? undefined;
        const own = { current: secret, ...defined({ app_secret, verify_token, headers }) };
        // The record comes last: whoever sees it must find its secrets.
        memory.writeSecrets(subscriber, { ...secrets, targets: { ...secrets.targets, [target]: own } });
        memory.writeTarget(subscriber, target, { record: changedRecord(newTarget(), settings), listed: false });
        return true;
      }),

    setTargets: () => {
      throw new Error('Only registrations do this');
    },

    deleteTarget: (subscriber, target) =>
      run('deleteTarget', { subscriber, target }, () => {
        const secrets = memory.secrets.get(subscriber);
        if (!secrets || !memory.targets.get(targetKey(subscriber, target))) return false;
        memory.deleteTarget(subscriber, target);
        const { [target]: _, ...others } = secrets.targets ?? {};
        const { targets: __, ...shared } = secrets;
        memory.writeSecrets(subscriber, { ...shared, ...(Object.keys(others).length > 0 && { targets: others }) });
        return true;
      }),
  };
}

/** The secrets with the changes of one target; `undefined` if none is secret. */
function changedSecrets(
  secrets: SubscriberSecrets,
  target: Target,
  { headers, app_secret, verify_token }: StoredTargetChanges,
): SubscriberSecrets | undefined {
  const given = defined({ app_secret, verify_token });
  const own = { ...secrets.targets?.[target], ...given };
  if (isNamed(target)) {
    const isSecret = headers !== undefined || Object.keys(given).length > 0;
    return isSecret ? withOwn(secrets, target, assigned(own, 'headers', headers)) : undefined;
  }
  const shared = { ...secrets, headers: assigned(secrets.headers, target, headers) };
  if (Object.keys(given).length > 0) return withOwn(shared, target, own);
  return headers === undefined ? undefined : shared;
}

const withOwn = (secrets: SubscriberSecrets, target: Target, own: OwnSecrets): SubscriberSecrets => ({
  ...secrets,
  targets: { ...secrets.targets, [target]: own },
});

/** The record of a target with changes of what is no secret. */
function changedRecord(record: TargetRecord, { url, format, events, headers }: StoredTargetChanges): TargetRecord {
  const names = headers && { origin: headers.origin, names: Object.keys(headers.headers).toSorted() };
  const withUrl = assigned(assigned(record, 'url', url), 'format', format === 'standard' ? null : format);
  return assigned(assigned(withUrl, 'events', events), 'headers', names);
}

function secretsIn(memory: Memory, run: Run): Pick<SecretStore, 'get' | 'replace'> {
  return {
    get: (subscriber) => run('get secrets', { subscriber }, () => memory.secrets.get(subscriber)),

    replace: (subscriber, expected, { current, replaced }, target) =>
      run('replace secrets', { subscriber: subscriber.id, target }, () => {
        const secrets = memory.secrets.get(subscriber.id);
        const own = target ? secrets?.targets?.[target] : secrets;
        if (!secrets || own?.current !== expected) return false;
        const signing = { current, ...defined({ replaced }) };
        const shared = { ...secrets, ...signing };
        const changed = target ? withOwn(secrets, target, { ...secrets.targets?.[target], ...signing }) : shared;
        memory.writeSecrets(subscriber.id, changed);
        noteNewSecrets(memory, subscriber, target ? [target] : builtInTargetsOf(subscriber));
        return true;
      }),
  };
}

/** Notes for each of these targets that its secrets have changed. */
function noteNewSecrets(memory: Memory, { id }: Pick<Subscriber, 'id'>, targets: readonly Target[]): void {
  for (const target of targets) {
    const stored = memory.targets.get(targetKey(id, target));
    const record = withNewVersion(stored?.record ?? newTarget(), 'secrets_version');
    memory.writeTarget(id, target, { listed: false, ...stored, record });
  }
}

function numbersIn(memory: Memory, run: Run): Omit<NumberStore, 'listByWorkspace'> {
  return {
    create: (number, secret = createSecret()) =>
      run('create number', { number: number.id }, () => {
        const numbers = memory.subscribers.values() as PhoneNumber[];
        if (numbers.some(({ phone_number_id }) => phone_number_id === number.phone_number_id)) return false;
        memory.addSubscriber(number, secret);
        return true;
      }),

    get: (number) => run('get number', { number }, () => memory.subscribers.get(number) as PhoneNumber | undefined),

    set: (number, switched) =>
      run('set number', { number, ...switched }, () => {
        const stored = memory.subscribers.get(number);
        if (stored) memory.writeSubscriber({ ...stored, ...switched });
        return stored !== undefined;
      }),

    async delete({ id }) {
      memory.subscribers.delete(id);
      memory.secrets.delete(id);
      for (const target of memory.targetsOf(id)) memory.targets.delete(targetKey(id, target));
    },
  };
}
