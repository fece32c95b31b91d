import { setTimeout as delay } from 'node:timers/promises';
import { useBareLoop } from '../bare-loop/build.ts';
import type { Build } from '../build.ts';
import { type Figure, notMeasured } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import { type BenchNumber, type LocalPipeline, withLocalWorld } from '../world/pipeline.ts';
import { isReadable, readUsage, spentBetween, unreadable, worldProcesses } from '../world/process-usage.ts';

/** An odd number, so that a median is that of one round. */
const rounds = 5;

/** What every process has to serve before it is measured. */
const warmUpNotifications = 100;

/** This long after the last arrival, its delivery has certainly been recorded. */
const recordedMs = 200;

interface Mode {
  name: string;
  /** Requests are so far apart that one process of each function serves most of them. */
  load: { posts: number; messagesAPost: number; pace: { perSecond: number } };
  budgets: {
    /** Of the functions, as a multiple of the bare loop. */
    functions: number;
    /** In milliseconds for a notification. */
    world?: number;
  };
}

const modes: readonly Mode[] = [
  {
    name: 'singly',
    load: { posts: 100, messagesAPost: 1, pace: { perSecond: 20 } },
    budgets: { functions: 1.3, world: 3.5 },
  },
  {
    name: 'in tens',
    load: { posts: 25, messagesAPost: 10, pace: { perSecond: 5 } },
    budgets: { functions: 1.5 },
  },
];

/** A local world with numbers to send to. */
type Candidate = LocalPipeline & { destinations: readonly BenchNumber[] };

/** Milliseconds for a notification, by part of the local world. */
type Spent = ReadonlyMap<string, number>;

/**
 * Measures the processor time that each part of the local world spends on a notification. For comparison, another local
 * world gets the same load alternately, with the bare loop in place of the product's functions.
 */
export async function measureCpu(build: Build): Promise<Figure[]> {
  if (!isReadable) return [notMeasured('CPU of a notification', unreadable)];
  return withLocalWorld(build, (product) =>
    withLocalWorld(build, async (bare) => compare(await prepared(product), await prepared(bare)), useBareLoop),
  );
}

async function prepared(pipeline: LocalPipeline): Promise<Candidate> {
  return { ...pipeline, destinations: await pipeline.createNumbers(['/a', '/b', '/c', '/d', '/e']) };
}

async function compare(product: Candidate, bareLoop: Candidate): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const mode of modes) {
    await warmUp(product, mode);
    await warmUp(bareLoop, mode);
    const [ofProduct, ofBareLoop]: [Spent[], Spent[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      ofProduct.push(await spentOn(product, mode));
      ofBareLoop.push(await spentOn(bareLoop, mode));
    }
    figures.push(...figuresOf(mode, ofProduct, ofBareLoop));
  }
  return figures;
}

/** Lets every process of every function serve enough. */
async function warmUp({ pid, outside, destinations }: Candidate, { load }: Mode): Promise<void> {
  const posts = warmUpNotifications / load.messagesAPost;
  let warmedUp = 0;
  do {
    await outside.send({ ...load, posts, destinations });
    warmedUp += 1;
  } while (warmedUp < maxProcessesOfAFunction(pid));
}

async function spentOn({ pid, outside, destinations }: Candidate, { load }: Mode): Promise<Spent> {
  const before = readUsage(pid);
  await outside.send({ ...load, destinations });
  await delay(recordedMs);
  const seconds = spentBetween(before, readUsage(pid));
  const notifications = load.posts * load.messagesAPost;
  return new Map([...seconds].map(([part, spent]) => [part, (spent * 1000) / notifications]));
}

function figuresOf({ name, budgets }: Mode, product: readonly Spent[], bareLoop: readonly Spent[]): Figure[] {
  const what = `CPU of a notification ${name}`;
  const figure = (of: string, values: readonly number[], unit: string, budget?: number): Figure => ({
    what: `${what}: ${of}`,
    value: median(values),
    unit,
    ...(budget !== undefined && { budget }),
  });
  const ofFunctions = (spent: Spent) => functionsIn([spent]).reduce((sum, part) => sum + (spent.get(part) ?? 0), 0);
  const of = (rounds: readonly Spent[], part: string) => rounds.map((spent) => spent.get(part) ?? 0);
  const each = (rounds: readonly Spent[]) =>
    functionsIn(rounds).map((part) => figure(`…of it ${part}`, of(rounds, part), 'ms'));
  const bare = bareLoop.map(ofFunctions);
  const ratios = product.map((spent, round) => ofFunctions(spent) / (bare[round] ?? Number.NaN));
  return [
    figure('function processes', product.map(ofFunctions), 'ms'),
    ...each(product),
    figure('a bare loop of the same SDK calls and POSTs', bare, 'ms'),
    ...each(bareLoop),
    figure('function processes, against the bare loop', ratios, '×', budgets.functions),
    figure("the local world's own processes", of(product, 'world'), 'ms', budgets.world),
    figure('the DynamoDB engine', of(product, 'engine'), 'ms'),
  ];
}

function maxProcessesOfAFunction(pid: number): number {
  const processes = worldProcesses(pid).filter(({ part }) => isFunction(part));
  return Math.max(...[...Map.groupBy(processes, ({ part }) => part).values()].map(({ length }) => length));
}

const functionsIn = (rounds: readonly Spent[]) =>
  [...new Set(rounds.flatMap((spent) => [...spent.keys()]))].filter(isFunction);

const isFunction = (part: string) => part !== 'world' && part !== 'engine';
