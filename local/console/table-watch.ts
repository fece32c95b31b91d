import { isDeepStrictEqual } from 'node:util';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/deliveries/deliveries.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { readDeliveryPage } from '#shared/domain/deliveries/list-deliveries.ts';
import { isWorkspace, workspaceSubscriber } from '#shared/domain/subscribers/subscriber.ts';
import { type Target, targetsOf } from '#shared/domain/subscribers/target.ts';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';
import { type ShownDelivery, shownDelivery } from './shown-delivery.ts';
import type { Stream } from './stream.ts';

/** A target of a number or a workspace, and the state of its circuit breaker. */
export interface ShownTarget {
  readonly subscriber: string;
  readonly isWorkspace: boolean;
  readonly target: Target;
  readonly url: string | null;
  readonly failures: number;
  /** Epoch milliseconds; null while the breaker is closed. */
  readonly opened_at: number | null;
  readonly probe_at: number | null;
  readonly paused_at: number | null;
  readonly slow_until: number | null;
}

interface Read {
  deliveries: Map<string, ShownDelivery>;
  targets: Map<string, ShownTarget>;
}

const deliveriesPerSubscriber = 50;

/** Functions write several times for each attempt, so changes are read together. */
const shortestPauseMs = 150;

/** Reads the targets and the latest deliveries of all numbers and workspaces, and publishes what has changed. */
export class TableWatch {
  readonly #table: Table;
  readonly #stream: Stream;
  #known: Read = { deliveries: new Map(), targets: new Map() };
  #timer: NodeJS.Timeout | undefined;
  /** At least as long as the last reading, so that a slow machine has time for other things. */
  #pauseMs = shortestPauseMs;
  #isReading = false;
  #isStale = false;
  #isClosed = false;

  constructor(table: Table, stream: Stream) {
    this.#table = table;
    this.#stream = stream;
  }

  /** The targets, and the latest deliveries, newest first. */
  async read(): Promise<{ deliveries: ShownDelivery[]; targets: ShownTarget[] }> {
    const { deliveries, targets } = await this.#readAll();
    return { deliveries: [...deliveries.values()], targets: [...targets.values()] };
  }

  /** Something wrote to the table. */
  readonly touched = (): void => {
    if (this.#isClosed || !this.#stream.isWatched) return;
    this.#isStale = true;
    if (!this.#isReading) this.#timer ??= setTimeout(() => void this.#publishChanges(), this.#pauseMs).unref();
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #publishChanges(): Promise<void> {
    this.#timer = undefined;
    this.#isReading = true;
    this.#isStale = false;
    const before = this.#known;
    const started = performance.now();
    try {
      const now = await this.#readAll();
      this.#pauseMs = Math.max(shortestPauseMs, performance.now() - started);
      this.#publish('targets', before.targets, now.targets);
      this.#publish('deliveries', before.deliveries, new Map([...now.deliveries].toReversed()));
    } catch (error) {
      // The world stops its table before its console.
      if (!this.#isClosed) console.error(error);
    } finally {
      this.#isReading = false;
    }
    if (this.#isStale) this.touched();
  }

  #publish(topic: string, before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): void {
    for (const [key, value] of now) {
      if (!isDeepStrictEqual(before.get(key), value)) this.#stream.publish(topic, key, value);
    }
  }

  async #readAll(): Promise<Read> {
    const workspaces = await workspaceStore(this.#table).list();
    const numbers = await Promise.all(workspaces.map(({ id }) => numberStore(this.#table).listByWorkspace(id)));
    const subscribers = [
      ...numbers.flat().map(({ id }) => id),
      ...workspaces.map((one) => workspaceSubscriber(one).id),
    ];
    const [deliveries, settings] = await Promise.all([
      Promise.all(subscribers.map((subscriber) => this.#deliveriesOf(subscriber))),
      Promise.all(subscribers.map((subscriber) => targetStore(this.#table).read(subscriber))),
    ]);
    const sorted = deliveries.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1));
    const targets = settings.flatMap((one) => (one === undefined ? [] : shownTargets(one)));
    this.#known = {
      deliveries: new Map(sorted.map((delivery) => [delivery.id, delivery])),
      targets: new Map(targets.map((target) => [`${target.subscriber} ${target.target}`, target])),
    };
    return this.#known;
  }

  async #deliveriesOf(subscriber: string): Promise<ShownDelivery[]> {
    const context = { deliveries: deliveryStore(this.#table), now: Date.now };
    const query = { subscriber, filter: { since: undefined }, limit: deliveriesPerSubscriber, from: undefined };
    return (await readDeliveryPage(query, context)).deliveries.map(shownDelivery);
  }
}

function shownTargets({ subscriber, targets }: DeliverySettings): ShownTarget[] {
  return targetsOf(subscriber).map((target) => {
    const { url = null, slow_until = null, breaker } = targets[target];
    const { failures, opened_at = null, probe_at = null, paused_at = null } = breaker;
    const state = { failures, opened_at, probe_at, paused_at, slow_until };
    return { subscriber: subscriber.id, isWorkspace: isWorkspace(subscriber), target, url, ...state };
  });
}
