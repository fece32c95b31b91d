import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, notMeasured } from '../report.ts';
import { warmUp, withLocalWorld } from '../world/pipeline.ts';
import { isReadable, residentMegabytes, unreadable, worldProcesses } from '../world/process-usage.ts';

const quietMs = 5_000;
const burst = 1_000;
const atOnce = 8;

/** Measures the memory of all processes of the local world, after its start and after a burst of events. */
export async function measureMemory(): Promise<Figure[]> {
  const [idle, busy] = ['Memory of the local world, idle', 'Memory of the local world, after a burst'];
  if (!isReadable) return [idle, busy].map((what) => notMeasured(what, unreadable));
  return withLocalWorld(async ({ pid, ...pipeline }) => {
    const used = () => worldProcesses(pid).reduce((sum, process) => sum + residentMegabytes(process.pid), 0);
    await delay(quietMs);
    const whenIdle = used();
    const destinations = await pipeline.createNumbers(['/a', '/b', '/c', '/d', '/e']);
    await warmUp(pipeline, destinations);
    await pipeline.outside.send({ destinations, posts: burst, messagesAPost: 1, pace: { atOnce } });
    await pipeline.outside.send({ destinations, posts: burst / 10, messagesAPost: 10, pace: { atOnce } });
    return [
      { what: idle, value: whenIdle, unit: 'MB', budget: 350 },
      { what: busy, value: used(), unit: 'MB', budget: 700 },
    ];
  });
}
