import { withLocalWorld } from './pipeline.ts';
import { isReadable, readUsage, spentBetween, unreadable, worldProcesses } from './process-usage.ts';
import { type Figure, notMeasured } from './report.ts';
import { median } from './statistics.ts';

const rounds = 3;

/** What every process has to serve before it is measured. */
const warmUpNotifications = 100;

interface Mode {
  name: string;
  /** Requests are so far apart that one process of each function serves most of them. */
  load: { posts: number; messagesAPost: number; pace: { perSecond: number } };
  /** In milliseconds for a notification. */
  budgets: { world?: number };
}

const modes: readonly Mode[] = [
  {
    name: 'in tens',
    load: { posts: 25, messagesAPost: 10, pace: { perSecond: 5 } },
    budgets: {},
  },
  {
    name: 'singly',
    load: { posts: 100, messagesAPost: 1, pace: { perSecond: 20 } },
    budgets: { world: 3.5 },
  },
];

/** Measures the processor time that each part of the local world spends on a notification. */
export async function measureCpu(): Promise<Figure[]> {
  if (!isReadable) return [notMeasured('CPU of a notification', unreadable)];
  return withLocalWorld(async ({ pid, createNumbers, outside }) => {
    const destinations = await createNumbers(['/a', '/b', '/c', '/d', '/e']);
    const figures: Figure[] = [];
    for (const { name, load, budgets } of modes) {
      const warmUpPosts = warmUpNotifications / load.messagesAPost;
      let warmedUp = 0;
      do {
        await outside.send({ ...load, posts: warmUpPosts, destinations });
        warmedUp += 1;
      } while (warmedUp < mostProcessesOfAFunction(pid));
      const spent: Map<string, number>[] = [];
      for (let round = 0; round < rounds; round++) {
        const before = readUsage(pid);
        await outside.send({ ...load, destinations });
        spent.push(spentBetween(before, readUsage(pid)));
      }
      figures.push(...figuresOf(`CPU of a notification ${name}`, spent, load.posts * load.messagesAPost, budgets));
    }
    return figures;
  });
}

function figuresOf(
  what: string,
  spent: readonly ReadonlyMap<string, number>[],
  notifications: number,
  budgets: Mode['budgets'],
): Figure[] {
  const functions = [...new Set(spent.flatMap((parts) => [...parts.keys()]))].filter(isFunction);
  const milliseconds = (parts: readonly string[]) =>
    median(spent.map((round) => sum(parts.map((part) => round.get(part) ?? 0)))) * (1000 / notifications);
  const figure = (of: string, parts: readonly string[], budget?: number): Figure => ({
    what: `${what}: ${of}`,
    value: milliseconds(parts),
    unit: 'ms',
    ...(budget !== undefined && { budget }),
  });
  return [
    figure('function processes', functions),
    ...functions.map((name) => figure(`…of it ${name}`, [name])),
    figure("the local world's own processes", ['world'], budgets.world),
    figure('the DynamoDB engine', ['engine']),
  ];
}

function mostProcessesOfAFunction(pid: number): number {
  const processes = worldProcesses(pid).filter(({ part }) => isFunction(part));
  return Math.max(...[...Map.groupBy(processes, ({ part }) => part).values()].map(({ length }) => length));
}

const isFunction = (part: string) => part !== 'world' && part !== 'engine';

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
