import { setTimeout as delay } from 'node:timers/promises';
import { startEngine } from '#local/aws/dynamodb/engine.ts';
import { prices } from '#support/aws-prices.ts';
import type { Build } from './build.ts';
import { type DynamoDbCall, startCountingProxy } from './counting-proxy.ts';
import { readDefinitions } from './definitions.ts';
import { warmUp, withPipeline } from './pipeline.ts';
import type { Figure } from './report.ts';

const consumer = 'DeliverNotifications';
const ingestion = 'ReceiveEvents';

const quietMs = 1_000;

interface Mode {
  name: string;
  load: { posts: number; messagesAPost: number; pace: { atOnce: number } | { perSecond: number } };
  /** The number of strongly consistent reads for a notification has no limit where it is undefined. */
  budgets: { calls: number; consistentReads?: number; dollars: number };
}

/** Ten is the most that one SendMessageBatch and one batch of the consumer hold. */
const modes: readonly Mode[] = [
  {
    name: 'in tens',
    load: { posts: 50, messagesAPost: 10, pace: { atOnce: 4 } },
    budgets: { calls: 1.2, dollars: 1.7 },
  },
  {
    name: 'singly',
    // So far apart that no two of them share a batch.
    load: { posts: 100, messagesAPost: 1, pace: { perSecond: 8 } },
    budgets: { calls: 6, consistentReads: 1, dollars: 6 },
  },
];

/** Counts the work since the last reset, apart from DynamoDB's, which the proxy counts. */
interface Usage {
  /** Number of calls by action. */
  calls: Map<string, number>;
  /** Number of invocations by function. */
  invocations: Map<string, number>;
  functionMilliseconds: number;
  loggedBytes: number;
}

const nothing = (): Usage => ({ calls: new Map(), invocations: new Map(), functionMilliseconds: 0, loggedBytes: 0 });

/** Measures the AWS work for notifications that are delivered without delay to receivers that respond after 200 ms. */
export async function measureAwsCost(build: Build): Promise<Figure[]> {
  const engine = await startEngine();
  const dynamoDb = await startCountingProxy(engine.url);
  let usage = nothing();
  let events = 0;
  const observers = {
    dynamoDbUrl: dynamoDb.url,
    // A sweep costs the same however many notifications there are, so none may fall into the measurement.
    sweepSeconds: 3_600,
    onLog(_: string, line: string) {
      usage.loggedBytes += Buffer.byteLength(line);
    },
    onAwsCall({ action, resource }: { action: string; resource: string }, milliseconds?: number) {
      events += 1;
      if (milliseconds !== undefined) {
        count(usage.invocations, resource);
        usage.functionMilliseconds += milliseconds;
      } else if (!action.startsWith('dynamodb:')) {
        // The roles are checked for each item, so DynamoDB's calls are counted by the proxy.
        count(usage.calls, action);
      }
    },
  };
  /** Waits until no further AWS calls follow the last arrival. */
  const untilQuiet = async () => {
    for (let seen = -1; seen !== events; ) {
      seen = events;
      await delay(quietMs);
    }
  };
  try {
    return await withPipeline(build, observers, async (pipeline) => {
      const destinations = await pipeline.createNumbers(['/slow/a', '/slow/b']);
      await warmUp(pipeline, destinations);
      const figures: Figure[] = [];
      for (const mode of modes) {
        await untilQuiet();
        usage = nothing();
        dynamoDb.take();
        await pipeline.outside.send({ ...mode.load, destinations });
        await untilQuiet();
        figures.push(...figuresOf(mode, usage, dynamoDb.take(), memoryGigabytes(build)));
      }
      return figures;
    });
  } finally {
    await dynamoDb.close();
    await engine.close();
  }
}

function figuresOf(
  { name, load, budgets }: Mode,
  { calls: otherCalls, invocations, functionMilliseconds, loggedBytes }: Usage,
  tableCalls: readonly DynamoDbCall[],
  gigabytes: number,
): Figure[] {
  const notifications = load.posts * load.messagesAPost;
  const batches = invocations.get(consumer) ?? 0;
  const calls = new Map(otherCalls);
  for (const call of tableCalls) count(calls, `dynamodb:${call.name}`);
  // Lambda itself receives and deletes the consumer's messages, once each per batch, so `calls` does not include that.
  const queueCalls = (calls.get('sqs:SendMessage') ?? 0) + 2 * batches;
  const ownCalls = sum(calls) + 2 * batches;
  const units = (reads: boolean) =>
    tableCalls.reduce((total, { isRead, capacityUnits }) => total + (isRead === reads ? capacityUnits : 0), 0);
  const consistentReads = tableCalls.filter(({ isConsistentRead }) => isConsistentRead).length;
  const dollars = {
    DynamoDB: units(false) * prices.writeUnit + units(true) * prices.readUnit,
    SQS: queueCalls * prices.queueRequest,
    Lambda: sum(invocations) * prices.invocation + (functionMilliseconds / 1000) * gigabytes * prices.gigabyteSecond,
    'API Gateway': (invocations.get(ingestion) ?? 0) * prices.apiRequest,
    'log lines': (loggedBytes / 1e9) * prices.loggedGigabyte,
    'Secrets Manager': (calls.get('secretsmanager:GetSecretValue') ?? 0) * prices.secretRequest,
  };
  const each = (number: number) => number / notifications;
  const aMillion = (amount: number) => each(amount) * 1e6;
  const total = Object.values(dollars).reduce((a, b) => a + b);
  const prefix = `Notifications ${name}`;
  const countsOf = (what: string, number: number, budget?: number): Figure => ({
    what: `${prefix}: ${what}`,
    value: each(number),
    unit: '',
    ...(budget !== undefined && { budget }),
  });
  return [
    { what: `${prefix}: in a batch of the consumer`, value: notifications / batches, unit: '' },
    countsOf('AWS calls for each, delivered at once', ownCalls, budgets.calls),
    ...[...calls].map(([action, number]) => countsOf(`…of them ${action}`, number)),
    countsOf('…of them receiving and deleting', 2 * batches),
    countsOf('…of them strongly consistent reads', consistentReads, budgets.consistentReads),
    countsOf('write units for each', units(false)),
    countsOf('read units for each', units(true)),
    { what: `${prefix}: AWS list price of a million`, value: aMillion(total), unit: '$', budget: budgets.dollars },
    ...Object.entries(dollars).map(([service, amount]) => ({
      what: `${prefix}: …of it ${service}`,
      value: aMillion(amount),
      unit: '$',
    })),
  ];
}

function memoryGigabytes(build: Build): number {
  const megabytes = readDefinitions(build).find(({ name }) => name === consumer)?.memoryMegabytes;
  return (megabytes ?? Number.NaN) / 1024;
}

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
