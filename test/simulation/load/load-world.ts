import { definition as deliverDefinition } from '#functions/deliveries/deliver-notifications/definition.ts';
import { definition as sweepDefinition } from '#functions/deliveries/sweep-deliveries/definition.ts';
import { hourMs, minuteMs } from '#shared/base/time/duration.ts';
import { isReceived } from '#shared/domain/attempts/attempt.ts';
import { defaultSchedule } from '#shared/domain/deliveries/schedule.ts';
import type { Attempt, PostRequest } from '#shared/domain/egress/sender.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import type { Change } from '../../../support/memory-table/memory-table.ts';
import { MemoryTable } from '../../../support/memory-table/memory-table.ts';
import type { CallOptions, Process } from '../process.ts';
import { seededRandom } from '../random.ts';
import { Scheduler } from '../scheduler.ts';
import { type Service, type Surroundings, serviceIn } from '../service.ts';
import { Capacity } from './capacity.ts';
import { FairQueue, type QueuedMessage } from './fair-queue.ts';
import { FunctionPool } from './function-pool.ts';
import { itemSize } from './item-size.ts';
import { Ledger } from './ledger.ts';
import type { LoadOptions } from './load-options.ts';
import {
  drawNumber,
  type LoadNumber,
  loadNumbers,
  loadTargets,
  type ReceiverKind,
  upstreamRequest,
} from './upstream-events.ts';

const start = Date.UTC(2026, 0, 31);

/** As the stack configures them. */
const batchSize = 10;
const attemptTimeoutMs = 10_000;

/** Milliseconds after which what was delivered leaves the memory, as it leaves the table after 30 days. */
const keptInMemoryMs = minuteMs;

/** Milliseconds that a call of DynamoDB or SQS takes, in each direction. */
const [shortestWay, longestWay] = [1, 10];

/** Bytes that DynamoDB adds to each item that it stores. */
const storedWithAnItem = 100;

/** Lambda's pollers for a queue that was idle, and how many more come each second as long as messages wait. */
const pollersAtFirst = 5;
const morePollersPerSecond = 5;

/** How long a batch of the slow queue waits for more messages. */
const slowWindowMs = 1_000;

/** A queue, and Lambda's pollers, each of which passes one batch at a time from it to `deliver-notifications`. */
interface Feed {
  queue: FairQueue;
  batchingWindowMs: number;
  maxPollers: number;
  pollers: number;
  /** Pollers whose long poll has found nothing yet. */
  waiting: number;
}

export type LoadWorld = ReturnType<typeof createLoadWorld>;

/** The service under load. Only its receivers fail. */
export function createLoadWorld(options: LoadOptions) {
  const random = seededRandom(options.seed);
  const scheduler = new Scheduler(start, Number.POSITIVE_INFINITY);
  const now = () => scheduler.now;
  const events = Math.floor(options.notifications / options.targets);
  const numbers = loadNumbers(options);
  const ledger = new Ledger(events, options.targets, now);
  const capacity = new Capacity(now);
  const calls = new Map<string, number>();
  let storedBytes = 0;
  const delivered: { key: Change['key']; at: number }[] = [];

  const table = new MemoryTable(
    { now, indexLagMs: () => longestWay, staleReadMs: () => 0 },
    {
      changed(change) {
        capacity.changed(change);
        ledger.changed(change);
        if (change.after?.state !== 'delivered') return;
        storedBytes += itemSize(change.after) + storedWithAnItem;
        delivered.push({ key: change.key, at: now() });
      },
      rejected: (key, item) => capacity.rejected(key, item),
    },
  );
  const newFeed = (maxPollers: number, batchingWindowMs: number): Feed => {
    const pollers = options.coldStart ? Math.min(pollersAtFirst, maxPollers) : maxPollers;
    const queue = new FairQueue({
      now,
      after: (ms, run) => scheduler.after(ms, run),
      random: random.next,
      servers: options.servers,
      onVisible: () => wakePollers(),
    });
    return { queue, batchingWindowMs, maxPollers, pollers, waiting: pollers };
  };
  const feeds = { first: newFeed(options.concurrency, 0), slow: newFeed(options.slowConcurrency, slowWindowMs) };
  const queues = [feeds.first.queue, feeds.slow.queue];

  const count = (action: string, by = 1) => calls.set(action, (calls.get(action) ?? 0) + by);
  const way = () => random.between(shortestWay, longestWay);

  function call<T>(process: Process, { action, input, effect }: CallOptions<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!process.isAlive) return;
      count(action);
      scheduler.after(way(), () => {
        const respond = carriedOut(action, input, effect, resolve, reject);
        scheduler.after(way(), () => process.isAlive && respond());
      });
    });
  }

  function carriedOut<T>(
    action: string,
    input: unknown,
    effect: () => T,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): () => void {
    try {
      const value = effect();
      if (/Get|Query/.test(action)) capacity.read(input, value);
      return () => resolve(value);
    } catch (error) {
      return () => reject(error);
    }
  }

  function post(process: Process, { url, body, timeoutMs, onReady }: PostRequest): Promise<Attempt> {
    const { hostname, pathname } = new URL(url);
    const [, target = ''] = pathname.split('/');
    const [kind] = hostname.split('.') as [ReceiverKind];
    const text = String(body);
    ledger.posted(text, target);
    const attempt = attemptAt(kind, timeoutMs);
    onReady?.();
    return new Promise((resolve) => {
      scheduler.after(attempt.durationMs, () => {
        if (isReceived(attempt)) ledger.accepted(text, target);
        if (process.isAlive) resolve(attempt);
      });
    });
  }

  function attemptAt(kind: ReceiverKind, timeoutMs: number): Attempt {
    switch (kind) {
      case 'hanging':
        return { outcome: 'failed', durationMs: timeoutMs, error: 'timeout' };
      case 'down':
        return { outcome: 'failed', durationMs: 3, error: 'refused' };
      default: {
        if (random.chance(options.hanging)) return attemptAt('hanging', timeoutMs);
        const durationMs = kind === 'slow' ? options.slowMs : random.between(20, 200);
        const status = random.chance(options.failing) ? 500 : 200;
        return { outcome: 'responded', durationMs, status, body: Buffer.alloc(0), truncated: false };
      }
    }
  }

  const surroundings: Surroundings = {
    calls: { call },
    after: (ms, run) => scheduler.after(ms, run),
    table,
    paging: { pageSize: () => 1_000, batchSize: () => 100 },
    queue: {
      send: (body, delaySeconds, group, isSlow) =>
        feeds[isSlow ? 'slow' : 'first'].queue.send(body, delaySeconds, group),
    },
    post,
    schedule: defaultSchedule,
    timeoutMs: attemptTimeoutMs,
    random: random.next,
    uuid: () => random.uuid(scheduler.now),
  };
  const serviceOf = (process: Process) => serviceIn(process, surroundings);
  const pick = (idle: number) => (options.lastFirst ? idle - 1 : random.below(idle));
  const pool = (timeoutMs: number) => new FunctionPool({ scheduler, serviceOf, pick }, timeoutMs);
  const pools = {
    ingestion: pool(29_000),
    delivery: pool(deliverDefinition.timeoutSeconds * 1000),
    sweep: pool(sweepDefinition.timeoutSeconds * 1000),
  };

  let isWaking = false;
  let batches = 0;
  let receivedMessages = 0;

  /** What one call sends is there when the servers respond to the polls that wait. */
  function wakePollers(): void {
    if (isWaking) return;
    isWaking = true;
    scheduler.after(1, () => {
      isWaking = false;
      for (const feed of Object.values(feeds)) respondToPolls(feed);
    });
  }

  function respondToPolls(feed: Feed): void {
    while (feed.waiting > 0 && feed.queue.visible > 0) {
      feed.waiting--;
      collect(feed, feed.queue.receiveFromOneHost(batchSize));
    }
  }

  function poll(feed: Feed): void {
    scheduler.after(way(), () => {
      const messages = feed.queue.receive(batchSize);
      if (messages.length > 0) collect(feed, messages);
      else feed.waiting++;
    });
  }

  /** Adds to a batch what else comes within the window until it is full. */
  function collect(feed: Feed, messages: QueuedMessage[]): void {
    count('ReceiveMessage');
    const windowMs = messages.length < batchSize ? feed.batchingWindowMs : 0;
    scheduler.after(windowMs + way(), () => {
      const more = windowMs > 0 ? feed.queue.receive(batchSize - messages.length) : [];
      if (more.length > 0) count('ReceiveMessage');
      void deliver(feed, [...messages, ...more]);
    });
  }

  /** Hands a batch to `deliver-notifications`. Lambda deletes what was handled; the rest becomes visible again. */
  async function deliver(feed: Feed, messages: readonly QueuedMessage[]): Promise<void> {
    batches++;
    receivedMessages += messages.length;
    const failed = await pools.delivery.invoke((service) => service.deliver(messages));
    if (failed) {
      count('DeleteMessageBatch');
      for (const message of messages) if (!failed.includes(message.id)) feed.queue.delete(message);
    }
    poll(feed);
  }

  function addPollers(feed: Feed): void {
    if (feed.queue.visible === 0 || feed.waiting > 0) return;
    const more = Math.min(morePollersPerSecond, feed.maxPollers - feed.pollers);
    feed.pollers += more;
    for (let added = 0; added < more; added++) poll(feed);
  }

  async function sweepEachMinute(): Promise<void> {
    for (;;) {
      await scheduler.sleep(minuteMs);
      for (const queue of queues) queue.update();
      void pools.sweep.invoke((service) => service.sweep().then(() => true));
    }
  }

  /** Lambda's number of pollers grows, and memory is freed, even while nothing else happens. */
  async function tick(): Promise<void> {
    for (;;) {
      await scheduler.sleep(1_000);
      for (const feed of Object.values(feeds)) addPollers(feed);
      const expired = delivered.findIndex(({ at }) => at > now() - keptInMemoryMs);
      for (const { key } of delivered.splice(0, expired < 0 ? delivered.length : expired)) table.expire(key);
    }
  }

  /** Creates all numbers at the same time, so that the load begins when the first probes are due. */
  async function createNumbers(service: Service): Promise<void> {
    await Promise.all(numbers.map((number, index) => createNumber(service, number, index)));
  }

  async function createNumber(service: Service, { kind, phoneNumberId }: LoadNumber, index: number): Promise<void> {
    const id = random.uuid(start - minuteMs);
    const workspace = random.uuid(start - minuteMs);
    await service.numbers.create({
      id,
      workspace,
      phone_number_id: phoneNumberId,
      display_phone_number: '+15550100001',
      active: true,
      calling_enabled: true,
      created_at: start,
    });
    const targets = loadTargets.slice(0, options.targets);
    const urls = targets.map((target) => [target, `https://${kind}.example/${target}/${index}`] as const);
    await service.targets.setUrls(id, Object.fromEntries(urls));
    const isDead = kind === 'hanging' || kind === 'down';
    for (const [target, url] of isDead && options.deadForLong ? urls : []) await openBreaker(service, id, target, url);
  }

  /** The state for a receiver that has been dead for a day: probed every quarter of an hour. */
  async function openBreaker({ breakers }: Service, number: string, target: Target, url: string): Promise<void> {
    const since = now() - 24 * hourMs;
    await breakers.open(number, target, since, since, url);
    for (let probes = 1, due = since; probes <= defaultSchedule.length; probes++) {
      const next = probes < defaultSchedule.length ? since + probes : now() + random.below(15 * minuteMs);
      await breakers.takeProbe(number, target, { failures: 0, probe_at: due }, now(), next);
      due = next;
    }
  }

  /** Sends all events at the rate of the load, whether or not the service keeps up. */
  async function sendEvents(): Promise<void> {
    const meanGapMs = (1_000 * options.perRequest) / options.rate;
    let dueAt = now();
    for (let next = 0; next < events; ) {
      dueAt -= Math.log(1 - random.next()) * meanGapMs;
      if (dueAt > now()) await scheduler.sleep(dueAt - now());
      const number = numbers[drawNumber(options, random)];
      if (!number) throw new Error('There is no such number');
      const batch = Array.from({ length: Math.min(options.perRequest, events - next) }, (_, index) => next + index);
      next += batch.length;
      for (const event of batch) ledger.arrived(event, number.kind);
      const request = upstreamRequest(number, batch, options, now());
      void pools.ingestion.invoke((service) => service.ingest(request).then(() => true));
    }
  }

  return {
    options,
    scheduler,
    ledger,
    capacity,
    calls,
    queues,
    pools,
    /** Messages in a batch of `deliver-notifications`. */
    averageBatch: () => receivedMessages / Math.max(1, batches),
    /** Bytes of an average successful delivery, as DynamoDB stores it. */
    averageBytes: () => storedBytes / Math.max(1, ledger.deliveries),

    /** Plays the load until nothing is left to do or the time is over. */
    async play(): Promise<{ loadMs: number; loadEndedAt: number }> {
      await scheduler.run(pool(Number.POSITIVE_INFINITY).invoke(createNumbers));
      capacity.reset();
      calls.clear();
      const loadBegins = now();
      void sweepEachMinute();
      void tick();
      await scheduler.run(sendEvents());
      const loadEndedAt = now();
      const rest = async () => {
        while (!ledger.isDone && now() - loadEndedAt < options.longestDrainMs) await scheduler.sleep(1_000);
      };
      await scheduler.run(rest());
      return { loadMs: loadEndedAt - loadBegins, loadEndedAt };
    },
  };
}
