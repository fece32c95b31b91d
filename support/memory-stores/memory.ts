import type { Delivery, DeliveryKey } from '#shared/delivery/delivery.ts';
import {
  builtInTargetsOf,
  newTarget,
  type Subscriber,
  type Target,
  type TargetRecord,
} from '#shared/webhooks/subscriber.ts';
import type { SubscriberSecrets } from '#shared/webhooks/webhook-signature.ts';

/** A delivery, and the key by which the sweep finds it, if it waits. */
export type StoredDelivery = Delivery & { due_key?: string };

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
    this.writeSecrets(subscriber.id, { current: secret });
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

export const targetKey = (subscriber: string, target: Target) => `${subscriber} ${target}`;
export const deliveryKey = ({ subscriber, target, id }: DeliveryKey) => `${subscriber} ${target} ${id}`;

/** The members that have a value. */
export const defined = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
