import { definition as delivery } from '#functions/deliveries/deliver-notifications/definition.ts';
import { minuteMs } from '#shared/base/time/duration.ts';
import { defaultMemoryMegabytes } from '#shared/http/contract/contract.ts';
import { prices } from '#support/aws/aws-prices.ts';
import type { WriteLoad } from './capacity.ts';
import type { FunctionPool } from './function-pool.ts';
import type { Outcome } from './ledger.ts';
import type { LoadOptions } from './load-options.ts';
import { createLoadWorld, type LoadWorld } from './load-world.ts';
import type { ReceiverKind } from './upstream-events.ts';

export interface Waits {
  p50: number;
  p99: number;
  max: number;
}

export type KindWaits = Partial<Record<ReceiverKind, Waits>>;

export interface FunctionUse {
  invocations: number;
  maxAtOnce: number;
  averageMs: number;
  longestMs: number;
  timeouts: number;
  failures: number;
}

export interface LoadResult {
  options: LoadOptions;
  loadSeconds: number;
  outcome: Record<ReceiverKind, Outcome>;
  posts: number;
  /** Notifications that a receiver accepted, or the service stored, more than once. */
  repeats: number;
  /**
   * Milliseconds from the arrival of an event to its first POST, by kind of receiver: for events of the first minute,
   * in which the service finds out about dead receivers, and for later ones.
   */
  waits: { firstMinute: KindWaits; later: KindWaits };
  /** Seconds from the last event until nothing was left to do for receivers of a kind. */
  drainSeconds: Partial<Record<ReceiverKind, number>>;
  /** AWS calls by action. */
  calls: ReadonlyMap<string, number>;
  writes: Readonly<Record<'table' | 'gsi1' | 'gsi2', WriteLoad>>;
  writeUnits: number;
  readUnits: number;
  /** What the table stores of a delivery, in bytes. */
  storedBytes: number;
  /** Messages in a batch of `deliver-notifications`, on average. */
  averageBatch: number;
  queue: { sent: number; maxVisible: number; maxDelayed: number };
  functions: Record<'ingestion' | 'delivery' | 'sweep', FunctionUse>;
  /** Log lines by event. */
  logged: ReadonlyMap<string, number>;
  /** List price in dollars of all that happened, by service. */
  dollars: Record<string, number>;
}

const kinds = ['healthy', 'slow', 'hanging', 'down'] as const;

/** Plays a load and returns its results. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const logged = new Map<string, number>();
  const world = createLoadWorld(options);
  const { loadMs, loadEndedAt } = await countingLog(logged, () => world.play());
  const { ledger, capacity, calls, queues, pools } = world;
  const minuteEnds = loadEndedAt - loadMs + minuteMs;
  const waits = (from: number, to: number) => {
    const waits = kinds.map((kind) => [kind, waitsOf(ledger.waits(kind, from, to))] as const);
    return Object.fromEntries(waits.filter(([, found]) => found));
  };
  const drains = kinds.map((kind) => [kind, ((ledger.doneAt[kind] ?? Number.NaN) - loadEndedAt) / 1000] as const);
  return {
    options,
    loadSeconds: loadMs / 1000,
    outcome: ledger.outcome(queues.flatMap((queue) => [...queue.messages()])),
    posts: ledger.posts,
    repeats: ledger.repeats,
    waits: { firstMinute: waits(0, minuteEnds), later: waits(minuteEnds, Number.POSITIVE_INFINITY) },
    drainSeconds: Object.fromEntries(drains.filter(([, seconds]) => !Number.isNaN(seconds))),
    calls,
    writes: capacity.writes,
    writeUnits: capacity.writeUnits,
    readUnits: capacity.readUnits,
    storedBytes: world.averageBytes(),
    averageBatch: world.averageBatch(),
    queue: {
      sent: sumOf(queues, ({ sent }) => sent),
      maxVisible: sumOf(queues, ({ maxVisible }) => maxVisible),
      maxDelayed: sumOf(queues, ({ maxDelayed }) => maxDelayed),
    },
    functions: { ingestion: use(pools.ingestion), delivery: use(pools.delivery), sweep: use(pools.sweep) },
    logged,
    dollars: dollars(world),
  };
}

function waitsOf(sorted: Float32Array): Waits | undefined {
  const at = (part: number) => sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0;
  return sorted.length === 0 ? undefined : { p50: at(0.5), p99: at(0.99), max: at(1) };
}

const use = (pool: FunctionPool): FunctionUse => ({
  invocations: pool.invocations,
  maxAtOnce: pool.maxBusy,
  averageMs: pool.durationMs / Math.max(1, pool.invocations),
  longestMs: pool.longestMs,
  timeouts: pool.timeouts,
  failures: pool.failures,
});

const queueActions = ['SendMessageBatch', 'ReceiveMessage', 'DeleteMessageBatch'];

function dollars({ capacity, calls, pools }: LoadWorld): Record<string, number> {
  const queueCalls = queueActions.reduce((sum, action) => sum + (calls.get(action) ?? 0), 0);
  const used = Object.values(pools);
  const invocations = used.reduce((sum, pool) => sum + pool.invocations, 0);
  const gigabytes = (pool: FunctionPool) =>
    (pool === pools.delivery ? delivery.memoryMegabytes : defaultMemoryMegabytes) / 1024;
  const gigabyteSeconds = used.reduce((sum, pool) => sum + (pool.durationMs / 1000) * gigabytes(pool), 0);
  return {
    'DynamoDB, writes': capacity.writeUnits * prices.writeUnit,
    'DynamoDB, reads': capacity.readUnits * prices.readUnit,
    SQS: queueCalls * prices.queueRequest,
    'Lambda, requests': invocations * prices.invocation,
    'Lambda, time': gigabyteSeconds * prices.gigabyteSecond,
    'API Gateway': pools.ingestion.invocations * prices.apiRequest,
  };
}

/** Counts what the product logs, instead of writing it. */
async function countingLog<T>(logged: Map<string, number>, work: () => Promise<T>): Promise<T> {
  const levels = ['info', 'warn', 'error'] as const;
  const originals = levels.map((level) => console[level]);
  for (const level of levels) {
    console[level] = ({ event }: { event: string }) => logged.set(event, (logged.get(event) ?? 0) + 1);
  }
  try {
    return await work();
  } finally {
    for (const [index, level] of levels.entries()) console[level] = originals[index] ?? console.log;
  }
}

const sumOf = <T>(all: readonly T[], figureOf: (one: T) => number) => all.reduce((sum, one) => sum + figureOf(one), 0);
