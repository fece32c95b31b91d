import { setTimeout as delay } from 'node:timers/promises';
import { startEngine } from '#local/aws/dynamodb/engine.ts';
import { prices } from './aws-prices.ts';
import type { Build } from './build.ts';
import { type DynamoDbCall, startCountingProxy } from './counting-proxy.ts';
import { readDefinitions } from './definitions.ts';
import { warmUp, withPipeline } from './pipeline.ts';
import type { Figure } from './report.ts';

const notifications = 500;
/** The number of messages in one upstream request, in one SendMessageBatch and in one batch of the consumer. */
const fullBatch = 10;
const consumer = 'DeliverNotifications';
const ingestion = 'ReceiveEvents';

const quietMs = 1_000;

/** Counts the work since the last reset. */
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
  const observers = {
    dynamoDbUrl: dynamoDb.url,
    onLog(_: string, line: string) {
      usage.loggedBytes += Buffer.byteLength(line);
    },
    onAwsCall({ action, resource }: { action: string; resource: string }, milliseconds?: number) {
      if (milliseconds === undefined) return count(usage.calls, action);
      count(usage.invocations, resource);
      usage.functionMilliseconds += milliseconds;
    },
  };
  /** Waits until no further AWS calls follow the last arrival. */
  const settled = async () => {
    for (let seen = -1; seen !== sum(usage.calls); ) {
      seen = sum(usage.calls);
      await delay(quietMs);
    }
  };
  try {
    return await withPipeline(build, observers, async (pipeline) => {
      const destinations = await pipeline.createNumbers(['/slow/a', '/slow/b']);
      await warmUp(pipeline, destinations);
      await settled();
      usage = nothing();
      dynamoDb.take();
      await pipeline.outside.send({
        destinations,
        posts: notifications / fullBatch,
        messagesAPost: fullBatch,
        pace: { atOnce: 4 },
      });
      await settled();
      return figures(usage, dynamoDb.take(), memoryGigabytes(build));
    });
  } finally {
    await dynamoDb.close();
    await engine.close();
  }
}

function figures(usage: Usage, tableCalls: readonly DynamoDbCall[], gigabytes: number): Figure[] {
  const { calls, invocations, functionMilliseconds, loggedBytes } = usage;
  const batches = invocations.get(consumer) ?? 0;
  // Lambda itself receives and deletes the consumer's messages, once each per batch, so `calls` does not include that.
  const queueCalls = (calls.get('sqs:SendMessage') ?? 0) + 2 * batches;
  const ownCalls = sum(calls) + 2 * batches;
  const units = (reads: boolean) =>
    tableCalls.reduce((total, { name, capacityUnits }) => total + (isRead(name) === reads ? capacityUnits : 0), 0);
  const dollars = {
    DynamoDB: units(false) * prices.writeUnit + units(true) * prices.readUnit,
    SQS: queueCalls * prices.queueRequest,
    Lambda: sum(invocations) * prices.invocation + (functionMilliseconds / 1000) * gigabytes * prices.gigabyteSecond,
    'API Gateway': (invocations.get(ingestion) ?? 0) * prices.apiRequest,
    'log lines': (loggedBytes / 1e9) * prices.loggedGigabyte,
    'Secrets Manager': (calls.get('secretsmanager:GetSecretValue') ?? 0) * prices.secretRequest,
  };
  const aMillion = (amount: number) => (amount * 1e6) / notifications;
  const total = Object.values(dollars).reduce((a, b) => a + b);
  return [
    { what: 'Notifications in a batch of the consumer, receivers at 200 ms', value: notifications / batches, unit: '' },
    { what: 'AWS calls for a notification delivered at once', value: ownCalls / notifications, unit: '', budget: 2.5 },
    ...[...calls].map(([action, number]) => ({ what: `…of them ${action}`, value: number / notifications, unit: '' })),
    { what: '…of them receiving and deleting', value: (2 * batches) / notifications, unit: '' },
    { what: 'Write units for a notification', value: units(false) / notifications, unit: '' },
    { what: 'AWS list price of a million notifications', value: aMillion(total), unit: '$', budget: 3 },
    ...Object.entries(dollars).map(([name, amount]) => ({
      what: `…of it ${name}`,
      value: aMillion(amount),
      unit: '$',
    })),
  ];
}

function memoryGigabytes(build: Build): number {
  const megabytes = readDefinitions(build).find(({ name }) => name === consumer)?.memoryMegabytes;
  return (megabytes ?? Number.NaN) / 1024;
}

const isRead = (name: string) => /Get|Query|Scan/.test(name);

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
