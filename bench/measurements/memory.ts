import { setTimeout as delay } from 'node:timers/promises';
import type { Build } from '../build.ts';
import { type Figure, notMeasured } from '../report/report.ts';
import { warmUp, withLocalWorld } from '../world/pipeline.ts';
import {
  isReadable,
  proportionalMegabytes,
  residentMegabytes,
  unreadable,
  type WorldProcess,
  worldProcesses,
} from '../world/process-usage.ts';

const quietMs = 5_000;
const burst = 1_000;
const atOnce = 8;

/** Measures the memory of all processes of the local world, after its start and after a burst of events. */
export async function measureMemory(build: Build): Promise<Figure[]> {
  const [idle, busy] = ['Memory of the local world, idle', 'Memory of the local world, after a burst'];
  if (!isReadable) return [idle, busy].map((what) => notMeasured(what, unreadable));
  return withLocalWorld(build, async ({ pid, ...pipeline }) => {
    await delay(quietMs);
    const whenIdle = figuresOf(idle, worldProcesses(pid), 350);
    const destinations = await pipeline.createNumbers(['/a', '/b', '/c', '/d', '/e']);
    await warmUp(pipeline, destinations);
    await pipeline.outside.send({ destinations, posts: burst, messagesAPost: 1, pace: { atOnce } });
    await pipeline.outside.send({ destinations, posts: burst / 10, messagesAPost: 10, pace: { atOnce } });
    return [...whenIdle, ...figuresOf(busy, worldProcesses(pid), 700)];
  });
}

function figuresOf(what: string, processes: readonly WorldProcess[], budget: number): Figure[] {
  const sum = (measure: (pid: number) => number, of: readonly WorldProcess[] = processes) =>
    of.reduce((total, { pid }) => total + measure(pid), 0);
  const parts = Map.groupBy(processes, ({ part }) => (part === 'world' || part === 'engine' ? part : 'functions'));
  return [
    { what, value: sum(residentMegabytes), unit: 'MB', budget },
    ...[...parts].map(([part, ofPart]) => ({
      what: `${what}: …of it ${names[part]}, ${ofPart.length} in number`,
      value: sum(residentMegabytes, ofPart),
      unit: 'MB',
    })),
    { what: `${what}, with what processes share counted once`, value: sum(proportionalMegabytes), unit: 'MB' },
  ];
}

const names: Readonly<Record<string, string>> = {
  world: "the world's own processes",
  engine: 'DynamoDB engines',
  functions: 'function processes',
};
