import type { World } from '#local/world.ts';
import { maxMediaBytes } from '#shared/domain/media/limits.ts';
import type { Build } from '../build.ts';
import { type Figure, notMeasured } from '../report/report.ts';
import { elapsed } from '../report/statistics.ts';
import { withWorld } from '../world/bench-world.ts';
import { isReadable, peakMegabytes, processorSeconds, unreadable, worldProcesses } from '../world/process-usage.ts';

const askers = 8;

/** Garbage of one copy adds to the memory of the next, so several copies are needed to find the peak. */
const moreFiles = ['second', 'third', 'fourth', 'fifth'];

const what = 'Media of 100 MB';

const tenthBytes = maxMediaBytes / 10;

/**
 * Measures copying a file of the largest permitted size from the simulated upstream through the function to the bucket.
 */
export async function measureMediaDownload(build: Build): Promise<Figure[]> {
  return [...(await measureLargest(build)), ...(await measureTenth(build))];
}

/** Memory is flat if a tenth of the bytes needs as much. */
function measureTenth(build: Build): Promise<Figure[]> {
  return withWorld(build, {}, async (world) => {
    for (const seed of ['first', ...moreFiles]) await askAtOnce(world, await store(world, seed, tenthBytes), 1);
    return ofProcesses({ what: "Media of 10 MB, peak memory of the function's process", unit: 'MB' }, peakMegabytes);
  });
}

function measureLargest(build: Build): Promise<Figure[]> {
  return withWorld(build, {}, async (world) => {
    const id = await store(world, 'first');
    const first = await elapsed(() => askAtOnce(world, id, 1));
    const processorTime = ofProcesses(
      { what: `${what}, processor time of the function's process, its start included`, unit: 's' },
      processorSeconds,
    );
    const again = await elapsed(() => askAtOnce(world, id, 1));
    for (const seed of moreFiles) await askAtOnce(world, await store(world, seed), 1);

    const wanted = await store(world, 'wanted by many');
    const together = await elapsed(() => askAtOnce(world, wanted, askers));
    const { downloads } = await simulate(world, `media/${wanted}`);
    const memory = ofProcesses(
      { what: `${what}, peak memory of the function's process`, unit: 'MB', budget: 256 },
      peakMegabytes,
    );
    return [
      ...memory,
      ...processorTime,
      { what: `${what}, until the bucket has it and the redirect is sent`, value: first / 1000, unit: 's' },
      { what: `${what}, the next time`, value: again, unit: 'ms' },
      { what: `${what}, ${askers} requests at once, until all have a response`, value: together / 1000, unit: 's' },
      { what: `…downloads from the upstream`, value: downloads, unit: '', budget: 1 },
    ];
  });
}

async function askAtOnce({ description }: World, media: string, times: number): Promise<void> {
  const url = `${description.base_url}/v2/messaging/numbers/${description.numbers[0]?.id}/media/${media}`;
  const headers = { authorization: `Bearer ${description.tokens.owner}` };
  const responses = await Promise.all(Array.from({ length: times }, () => fetch(url, { headers, redirect: 'manual' })));
  const other = responses.find(({ status }) => status !== 302);
  if (other) throw new Error(`A large file was answered ${other.status} ${await other.text()}`);
}

async function store(world: World, seed: string, size = maxMediaBytes): Promise<string> {
  const { id } = await simulate(world, 'media', { size, mime_type: 'video/mp4', seed });
  return id;
}

async function simulate(
  { description }: World,
  path: string,
  body?: object,
): Promise<{ id: string; downloads: number }> {
  const response = await fetch(`${description.upstream_url}/simulator/${path}`, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The simulator answered ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string; downloads: number };
}

/** Returns the largest value among the function's processes. */
function ofProcesses(figure: Omit<Figure, 'value'>, measure: (pid: number) => number): Figure[] {
  if (!isReadable) return [{ ...notMeasured(figure.what, unreadable), ...figure }];
  const processes = worldProcesses(process.pid).filter(({ part }) => part === 'GetMedia');
  if (processes.length === 0) throw new Error('The function that downloads media does not run');
  return [{ ...figure, value: Math.max(...processes.map(({ pid }) => measure(pid))) }];
}
