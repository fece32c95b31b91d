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
import { defined, deliveryKey, type Memory, type Run, type StoredDelivery } from './memory.ts';

const dueBefore = (at: number) => `${String(Math.round(at)).padStart(15, '0')}#`;

interface Change {
  args: DeliveryArguments;
  due?: number | undefined;
  set?: Partial<Delivery>;
}

export function deliveriesIn(memory: Memory, run: Run): DeliveryStore {
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
    return changed ? state : unclaimedReason(stored, args);
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
      return { why: stored.attempt_count === 0 ? unclaimedReason(stored, { now }) : 'repeat' };
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

const passes = (delivery: Delivery, { since = 0, until, state }: DeliveryFilter) =>
  delivery.created_at >= since &&
  (until === undefined || delivery.created_at <= until) &&
  (state === undefined || delivery.state === state);
