import { isDeepStrictEqual } from 'node:util';
import { QueryCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { prefixes } from '#shared/aws/keys.ts';
import { fromItem, queryPartition, type Table } from '#shared/aws/table.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import type { Format } from '#shared/webhooks/meta-format.ts';
import {
  type DeliverySettings,
  isWorkspace,
  nameOf,
  newTarget,
  targetsOf,
  workspaceSubscriber,
} from '#shared/webhooks/subscriber.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';
import { type ShownDelivery, shownDelivery } from './shown-delivery.ts';
import type { Stream } from './stream.ts';
import { subscribersIn } from './subscribers.ts';

/** A target of a number or a workspace, and the state of its circuit breaker. */
export interface ShownTarget {
  readonly subscriber: string;
  readonly isWorkspace: boolean;
  /** Its name. */
  readonly target: string;
  readonly url: string | null;
  readonly format: Format;
  /** The only events that it gets; null for all. */
  readonly events: readonly string[] | null;
  readonly failures: number;
  /** Epoch milliseconds; null while the breaker is closed. */
  readonly opened_at: number | null;
  readonly probe_at: number | null;
  readonly paused_at: number | null;
  /** When the breaker was open before, as far as the console has seen it. Epoch milliseconds. */
  readonly openings: readonly { readonly from: number; readonly to: number }[];
}

/** Whether a page that shows a Flow has to read it again. */
export type StoredFlow = Pick<FlowRecord, 'id' | 'status' | 'updated_at' | 'wa_id'>;

const keptOpenings = 20;

const deliveriesPerSubscriber = 50;

/** Functions write several times for each attempt, so changes are read together. */
const shortestPauseMs = 150;

/** A write is seen before it is made, so what was written is read again until every function that wrote has ended. */
const longestFunctionMs = 30_000;

/**
 * Knows the targets and the latest deliveries of all numbers and workspaces, and publishes what changes, and which Flows
 * have changed. Targets and deliveries are read once, and then only the partitions that are written.
 */
export class TableWatch {
  readonly #table: Table;
  readonly #stream: Stream;
  readonly #deliveries = new Map<string, ShownDelivery>();
  readonly #targets = new Map<string, ShownTarget>();
  /** By workspace. */
  readonly #flows = new Map<string, readonly StoredFlow[]>();
  /** The partitions to read, and when each was written last. */
  readonly #stale = new Set<string>();
  readonly #written = new Map<string, number>();
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** At least as long as the last reading, so that a slow machine has time for other things. */
  #pauseMs = shortestPauseMs;
  #isClosed = false;

  constructor(table: Table, stream: Stream) {
    this.#table = table;
    this.#stream = stream;
  }

  /** The targets, and the latest deliveries, newest first. */
  async read(): Promise<{ deliveries: ShownDelivery[]; targets: ShownTarget[] }> {
    await this.#refresh();
    const deliveries = [...this.#deliveries.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
    return { deliveries, targets: [...this.#targets.values()] };
  }

  /** Something is writing to the table. */
  readonly writing = (partitions: readonly string[]): void => {
    for (const partition of partitions.filter((one) => /^(DELIVERIES|SUBSCRIBER|WORKSPACE)#/.test(one))) {
      this.#written.set(partition, Date.now());
      this.#stale.add(partition);
    }
    this.#schedule();
  };

  /** A function has ended, and with it its writes. */
  readonly functionEnded = (): void => {
    for (const [partition, at] of this.#written) {
      this.#stale.add(partition);
      if (at < Date.now() - longestFunctionMs) this.#written.delete(partition);
    }
    this.#schedule();
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isClosed || this.#stale.size === 0 || !this.#stream.isWatched) return;
    this.#timer ??= setTimeout(() => void this.#update(), this.#pauseMs).unref();
  }

  async #update(): Promise<void> {
    const started = performance.now();
    try {
      await this.#refresh();
    } catch (error) {
      // The world stops its table before its console.
      if (!this.#isClosed) console.error(error);
    }
    this.#timer = undefined;
    this.#pauseMs = Math.max(shortestPauseMs, performance.now() - started);
    this.#schedule();
  }

  /** Readings follow each other, so that none overtakes a later one. */
  async #refresh(): Promise<void> {
    const before = this.#reading;
    const reading = before === undefined ? this.#readAll() : before.then(() => this.#readStale());
    this.#reading = reading;
    try {
      await reading;
    } catch (error) {
      // The next one reads everything.
      if (this.#reading === reading) this.#reading = undefined;
      throw error;
    }
  }

  async #readAll(): Promise<void> {
    const { workspaces, numbers } = await subscribersIn(this.#table);
    const subscribers = [...numbers.map(({ id }) => id), ...workspaces.map((one) => workspaceSubscriber(one).id)];
    for (const subscriber of subscribers) await this.#readTargets(subscriber);
    // The deliveries of a subscriber are in 88 partitions, and the table of a local world is small.
    const { client, name: TableName } = this.#table;
    const FilterExpression = 'begins_with(pk, :deliveries)';
    const ExpressionAttributeValues = { ':deliveries': 'DELIVERIES#' };
    const scan = { TableName, ConsistentRead: true, FilterExpression, ExpressionAttributeValues };
    const deliveries: Delivery[] = [];
    let ExclusiveStartKey: ScanCommandOutput['LastEvaluatedKey'];
    do {
      const page: ScanCommandOutput = await client.send(new ScanCommand({ ...scan, ExclusiveStartKey }));
      deliveries.push(...(page.Items ?? []).flatMap((item) => fromItem<Delivery>(item) ?? []));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    this.#takeDeliveries(deliveries);
  }

  async #readStale(): Promise<void> {
    const partitions = [...this.#stale];
    this.#stale.clear();
    await Promise.all(partitions.map((partition) => this.#readPartition(partition)));
  }

  async #readPartition(partition: string): Promise<void> {
    const [kind, subscriber = ''] = partition.split('#');
    if (kind === 'SUBSCRIBER') {
      await this.#readTargets(subscriber);
      return;
    }
    if (kind === 'WORKSPACE') {
      await this.#readFlows(subscriber);
      return;
    }
    const { client, name: TableName } = this.#table;
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: deliveriesPerSubscriber,
        KeyConditionExpression: 'pk = :partition',
        ExpressionAttributeValues: { ':partition': partition },
      }),
    );
    this.#takeDeliveries(Items.flatMap((item) => fromItem<Delivery>(item) ?? []));
  }

  /** The platform changes a Flow before the service stores what it has done, so its own changes come too early. */
  async #readFlows(workspace: string): Promise<void> {
    const flows: StoredFlow[] = [];
    for await (const item of queryPartition(this.#table, `WORKSPACE#${workspace}`, prefixes.flow)) {
      const { id, status, updated_at, wa_id } = item as unknown as FlowRecord;
      flows.push({ id, status, updated_at, ...(wa_id !== undefined && { wa_id }) });
    }
    this.#take('stored-flows', this.#flows, workspace, flows);
  }

  async #readTargets(subscriber: string): Promise<void> {
    const settings = await targetStore(this.#table).read(subscriber);
    for (const target of settings === undefined ? [] : shownTargets(settings)) {
      const key = `${target.subscriber} ${target.target}`;
      this.#take('targets', this.#targets, key, withOpenings(target, this.#targets.get(key), Date.now()));
    }
  }

  /** Takes those that are among the latest of their subscriber. Others, which a shard has kept, are not news. */
  #takeDeliveries(read: readonly Delivery[]): void {
    const all = new Map(this.#deliveries);
    for (const delivery of read) all.set(delivery.id, shownDelivery(delivery));
    for (const own of Map.groupBy(all.values(), ({ subscriber }) => subscriber).values()) {
      const oldestFirst = own.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      for (const { id } of oldestFirst.slice(0, -deliveriesPerSubscriber)) {
        if (this.#deliveries.delete(id)) this.#stream.publish('deliveries', id, undefined);
      }
      for (const delivery of oldestFirst.slice(-deliveriesPerSubscriber)) {
        this.#take('deliveries', this.#deliveries, delivery.id, delivery);
      }
    }
  }

  #take<T>(topic: string, latest: Map<string, T>, key: string, value: T): void {
    if (isDeepStrictEqual(latest.get(key), value)) return;
    latest.set(key, value);
    this.#stream.publish(topic, key, value);
  }
}

/** The target with what is known of its breaker, which may have closed since it was read last. */
function withOpenings(target: ShownTarget, before: ShownTarget | undefined, now: number): ShownTarget {
  const { opened_at: from = null, openings = [] } = before ?? {};
  const hasClosed = from !== null && target.opened_at === null;
  return { ...target, openings: hasClosed ? [...openings, { from, to: now }].slice(-keptOpenings) : openings };
}

function shownTargets(settings: DeliverySettings): ShownTarget[] {
  const { subscriber, targets } = settings;
  return targetsOf(settings).map((target) => {
    const { url = null, format = 'standard', events = null, breaker } = targets[target] ?? newTarget();
    const { failures, opened_at = null, probe_at = null, paused_at = null } = breaker;
    return {
      ...{ subscriber: subscriber.id, isWorkspace: isWorkspace(subscriber), target: nameOf(target) },
      ...{ url, format, events, failures, opened_at, probe_at, paused_at, openings: [] },
    };
  });
}
