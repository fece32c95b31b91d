import { setTimeout as delay } from 'node:timers/promises';
import { useBareLoop } from '../bare-loop/build.ts';
import { type Figure, median, notMeasured } from '../report.ts';
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
  /** Of the functions, as a multiple of the bare loop. */
  budget: number;
}

const modes: readonly Mode[] = [
  {
    name: 'singly',
    load: { posts: 100, messagesAPost: 1, pace: { perSecond: 20 } },
    budget: 1.5,
  },
  {
    name: 'in tens',
    load: { posts: 25, messagesAPost: 10, pace: { perSecond: 5 } },
    budget: 1.7,
  },
];

/** A local world with numbers to send to. */
type Candidate = LocalPipeline & { destinations: readonly BenchNumber[] };

/**
 * Measures the processor time that the functions spend on a notification. For comparison, another local world gets the same load alternately, with the bare loop in place of the product's functions.
 */
export async function measureCpu(): Promise<Figure[]> {
  if (!isReadable) return [notMeasured('CPU of a notification', unreadable)];
  return withLocalWorld((product) =>
    withLocalWorld(async (bare) => compare(await prepared(product), await prepared(bare)), useBareLoop),
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
    const [ofProduct, ofBareLoop]: [number[], number[]] = [[], []];
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

/** Milliseconds that the functions spend on a notification. */
async function spentOn({ pid, outside, destinations }: Candidate, { load }: Mode): Promise<number> {
  const before = readUsage(pid);
  await outside.send({ ...load, destinations });
  await delay(recordedMs);
  const spent = [...spentBetween(before, readUsage(pid))].filter(([part]) => isFunction(part));
  const seconds = spent.reduce((sum, [, ofPart]) => sum + ofPart, 0);
  return (seconds * 1000) / (load.posts * load.messagesAPost);
}

function figuresOf({ name, budget }: Mode, product: readonly number[], bareLoop: readonly number[]): Figure[] {
  const what = `CPU of a notification ${name}`;
  const ratios = product.map((spent, round) => spent / (bareLoop[round] ?? Number.NaN));
  return [
    { what: `${what}: function processes`, value: median(product), unit: 'ms' },
    { what: `${what}: a bare loop of the same SDK calls and POSTs`, value: median(bareLoop), unit: 'ms' },
    { what: `${what}: function processes, against the bare loop`, value: median(ratios), unit: '×', budget },
  ];
}

function maxProcessesOfAFunction(pid: number): number {
  const processes = worldProcesses(pid).filter(({ part }) => isFunction(part));
  return Math.max(...[...Map.groupBy(processes, ({ part }) => part).values()].map(({ length }) => length));
}

const isFunction = (part: string) => part !== 'world' && part !== 'engine';
