import { setTimeout as delay } from 'node:timers/promises';
import { readTemplate } from '#local/aws/template/template.ts';
import { startMemoryEngine } from '#support/aws/memory-engine.ts';
import {
  accessLogBytes,
  dollarsOf,
  eventResponseBytes,
  loggedBytes,
  notificationPostBytes,
  platformLogBytes,
} from '../aws-prices.ts';
import { type Build, readDefinitions } from '../build.ts';
import type { Figure } from '../report.ts';
import { type DynamoDbCall, startCountingProxy } from '../world/counting-proxy.ts';
import { withPipeline } from '../world/pipeline.ts';
import { isReadable, readUsage, spentBetween } from '../world/process-usage.ts';

const deliverNotifications = 'DeliverNotifications';
const ingestion = 'ReceiveEvents';

const quietMs = 1_000;

/** What a process reads of a number in ten minutes, and writes about it in a minute, however much it delivers. */
const rareKinds = ['SECRETS', 'EVENT_NOTE'];

/** With this memory a function of Lambda has one whole core (AWS Lambda Developer Guide, "Configure memory"). */
const megabytesOfACore = 1769;

interface Mode {
  name: string;
  load: { posts: number; messagesAPost: number; pace: { atOnce: number } | { perSecond: number } };
  /** How many hosts share the messages of a queue. Without it, as many as the local world assumes. */
  queueServers?: number;
  /** There is no limit where it is undefined. */
  budgets: { calls?: number; dollars?: number };
}

// Slow enough that every event is handled without delay.
const tens = { posts: 200, messagesAPost: 10, pace: { perSecond: 8 } };

/**
 * The load with single notifications matters most. In tens, the local pollers share the messages that arrive together,
 * as Lambda's do. Only a queue on one host returns the full batches of a deep queue.
 */
const modes: readonly Mode[] = [
  {
    name: 'singly',
    // The requests are so far apart that no two of them share a batch.
    load: { posts: 100, messagesAPost: 1, pace: { perSecond: 8 } },
    budgets: { calls: 7, dollars: 7 },
  },
  {
    name: 'in tens',
    load: tens,
    budgets: { dollars: 3 },
  },
  {
    name: 'in tens, full batches',
    load: tens,
    queueServers: 1,
    budgets: { calls: 2.5 },
  },
];

/** Counts the work since the last reset, apart from DynamoDB's, which the proxy counts. */
interface Usage {
  /** Number of calls by action. */
  calls: Map<string, number>;
  /** Number of invocations by function. */
  invocations: Map<string, number>;
  /** By function. */
  milliseconds: Map<string, number>;
  loggedBytes: number;
}

const nothing = (): Usage => ({ calls: new Map(), invocations: new Map(), milliseconds: new Map(), loggedBytes: 0 });

/** Measures the AWS work for notifications that are delivered without delay to receivers that respond after 200 ms. */
export async function measureAwsCost(build: Build): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [queueServers, alike] of Map.groupBy(modes, (mode) => mode.queueServers)) {
    figures.push(...(await measureModes(build, alike, queueServers)));
  }
  return figures;
}

async function measureModes(build: Build, modes: readonly Mode[], queueServers: number | undefined): Promise<Figure[]> {
  const engine = await startMemoryEngine();
  const dynamoDb = await startCountingProxy(engine.url);
  let usage = nothing();
  let events = 0;
  const observers = {
    dynamoDbUrl: dynamoDb.url,
    queueServers,
    // A sweep costs the same however many notifications there are, so none may fall into the measurement.
    sweepSeconds: 3_600,
    onLog(_: string, line: string) {
      usage.loggedBytes += loggedBytes(line);
    },
    onAwsCall({ action, resource }: { action: string; resource: string }, milliseconds?: number) {
      events += 1;
      if (milliseconds !== undefined) {
        count(usage.invocations, resource);
        add(usage.milliseconds, resource, milliseconds);
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
      const figures: Figure[] = [];
      for (const mode of modes) {
        // The same load starts as many processes, which then know the secrets of the numbers.
        await pipeline.outside.send({ ...mode.load, destinations });
        await untilQuiet();
        usage = nothing();
        dynamoDb.take();
        const before = processorUsage();
        await pipeline.outside.send({ ...mode.load, destinations });
        await untilQuiet();
        const billed = gigabyteSeconds(build, usage.milliseconds, spentBetween(before, processorUsage()));
        figures.push(...figuresOf(mode, usage, dynamoDb.take(), billed, accessLogOf(build)));
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
  { calls: otherCalls, invocations, loggedBytes: ownLogs }: Usage,
  tableCalls: readonly DynamoDbCall[],
  gigabyteSeconds: number,
  accessLog: number,
): Figure[] {
  const notifications = load.posts * load.messagesAPost;
  const batches = invocations.get(deliverNotifications) ?? 0;
  const calls = new Map(otherCalls);
  for (const call of tableCalls) count(calls, `dynamodb:${call.name}`);
  // Lambda itself receives and deletes the messages of `deliver-notifications`, once each per batch, so `calls` does
  // not include that.
  const queueCalls = (calls.get('sqs:SendMessage') ?? 0) + 2 * batches;
  const ownCalls = sum(calls) + 2 * batches;
  const units = (reads: boolean) =>
    tableCalls.reduce((total, { isRead, capacityUnits }) => total + (isRead === reads ? capacityUnits : 0), 0);
  const requests = invocations.get(ingestion) ?? 0;
  const dollars = dollarsOf({
    apiRequests: requests,
    invocations: sum(invocations),
    gigabyteSeconds,
    queueRequests: queueCalls,
    writeUnits: units(false),
    readUnits: units(true),
    secretRequests: calls.get('secretsmanager:GetSecretValue') ?? 0,
    loggedBytes: ownLogs + sum(invocations) * platformLogBytes + requests * accessLog,
    sentBytes: notifications * notificationPostBytes + requests * eventResponseBytes,
  });
  const perNotification = (number: number) => number / notifications;
  const total = Object.values(dollars).reduce((a, b) => a + b);
  const prefix = `Notifications ${name}`;
  const countsOf = (what: string, number: number, budget?: number): Figure => ({
    what: `${prefix}: ${what}`,
    value: perNotification(number),
    unit: '',
    ...(budget !== undefined && { budget }),
  });
  return [
    { what: `${prefix}: in a batch of deliver-notifications`, value: notifications / batches, unit: '' },
    countsOf('AWS calls for each, delivered at once', ownCalls, budgets.calls),
    {
      what: `${prefix}: …in all, reads of secrets and notes of numbers`,
      value: tableCalls.filter(({ kind }) => rareKinds.includes(kind)).length,
      unit: '',
    },
    countsOf('write units for each', units(false)),
    countsOf('read units for each', units(true)),
    {
      what: `${prefix}: AWS list price of a million`,
      value: perNotification(total) * 1e6,
      unit: '$',
      ...(budgets.dollars !== undefined && { budget: budgets.dollars }),
    },
  ];
}

/** What API Gateway logs about a request. */
function accessLogOf({ templateFile }: Build): number {
  const stage = [...readTemplate(templateFile).resources.values()].find(
    ({ Type }) => Type === 'AWS::ApiGatewayV2::Stage',
  );
  return accessLogBytes(String(Object(stage?.Properties.AccessLogSettings).Format));
}

const processorUsage = () => (isReadable ? readUsage(process.pid) : []);

/**
 * The billed time on Lambda. A function here may use a whole core. On Lambda it gets a share in proportion to its
 * memory, so computing takes longer there.
 */
function gigabyteSeconds(
  build: Build,
  milliseconds: ReadonlyMap<string, number>,
  processorSeconds: ReadonlyMap<string, number>,
): number {
  return readDefinitions(build).reduce((total, { name, memoryMegabytes }) => {
    const longer = Math.max(0, megabytesOfACore / memoryMegabytes - 1) * (processorSeconds.get(name) ?? 0);
    return total + ((milliseconds.get(name) ?? 0) / 1000 + longer) * (memoryMegabytes / 1024);
  }, 0);
}

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);

const count = (counts: Map<string, number>, name: string) => add(counts, name, 1);

function add(sums: Map<string, number>, name: string, amount: number): void {
  sums.set(name, (sums.get(name) ?? 0) + amount);
}
