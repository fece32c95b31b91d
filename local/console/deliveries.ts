import { isDeepStrictEqual } from 'node:util';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/deliveries/deliveries.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import { readDeliveryPage } from '#shared/domain/deliveries/list-deliveries.ts';
import { toDeliveryObject } from '#shared/http/deliveries/delivery-object.ts';
import type { Stream } from './stream.ts';

/** A delivery as the API shows it, with its subscriber and the body that is sent, unless that is in the bucket. */
export type ShownDelivery = ReturnType<typeof shown>;

const shownPerSubscriber = 50;

/** Functions write several times for each attempt, so changes are read together. */
const pauseMs = 150;

/** Reads the latest deliveries of all numbers and workspaces, and publishes those that have changed. */
export class DeliveryWatch {
  readonly #table: Table;
  readonly #stream: Stream;
  #known = new Map<string, ShownDelivery>();
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #isStale = false;

  constructor(table: Table, stream: Stream) {
    this.#table = table;
    this.#stream = stream;
  }

  /** The latest deliveries, newest first. */
  async latest(): Promise<ShownDelivery[]> {
    const found = await this.#read();
    this.#known = new Map(found.map((delivery) => [delivery.id, delivery]));
    return found;
  }

  /** Something wrote to the table. */
  readonly touched = (): void => {
    if (!this.#stream.isWatched) return;
    this.#isStale = true;
    if (!this.#isReading) this.#timer ??= setTimeout(() => this.#publishChanges(), pauseMs).unref();
  };

  close(): void {
    clearTimeout(this.#timer);
    this.#isReading = true;
  }

  async #publishChanges(): Promise<void> {
    this.#timer = undefined;
    this.#isReading = true;
    this.#isStale = false;
    const before = this.#known;
    try {
      for (const delivery of (await this.latest()).toReversed()) {
        if (!isDeepStrictEqual(before.get(delivery.id), delivery))
          this.#stream.publish('deliveries', delivery.id, delivery);
      }
    } finally {
      this.#isReading = false;
    }
    if (this.#isStale) this.touched();
  }

  async #read(): Promise<ShownDelivery[]> {
    const workspaces = (await workspaceStore(this.#table).list()).map(({ id }) => id);
    const numbers = await Promise.all(workspaces.map((id) => numberStore(this.#table).listByWorkspace(id)));
    const subscribers = [...workspaces, ...numbers.flat().map(({ id }) => id)];
    const pages = await Promise.all(subscribers.map((subscriber) => this.#pageOf(subscriber)));
    return pages
      .flat()
      .map(shown)
      .toSorted((one, other) => (one.id < other.id ? 1 : -1));
  }

  async #pageOf(subscriber: string): Promise<Delivery[]> {
    const context = { deliveries: deliveryStore(this.#table), now: Date.now };
    const query = { subscriber, filter: { since: undefined }, limit: shownPerSubscriber, from: undefined };
    return (await readDeliveryPage(query, context)).deliveries;
  }
}

const shown = (delivery: Delivery) => ({
  ...toDeliveryObject(delivery, 'en'),
  subscriber: delivery.subscriber,
  body: 'text' in delivery.payload ? delivery.payload.text : null,
});
