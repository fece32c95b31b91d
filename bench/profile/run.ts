/**
 * `npm run profile -- deliver-notifications` runs the local world, loads one function, and prints where a warm process
 * of it spends its processor time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Build, buildInto } from '../build.ts';
import { readDefinitions } from '../report/definitions.ts';
import { withPipeline } from '../world/pipeline.ts';
import { type CallFrame, type Shares, sharesBy } from './cpu-profile.ts';
import { loadOf, worldOptionsFor } from './load.ts';
import { type Place, placesOf } from './places.ts';
import { type ProfiledFunction, profileFunction, requests } from './profiled-function.ts';

const shown = 30;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'in-tens': { type: 'boolean', default: false },
    path: { type: 'string' },
    body: { type: 'string' },
  },
});
const [name] = positionals;
if (name === undefined) throw new Error('Name a function: npm run profile -- deliver-notifications');

const folder = await mkdtemp(join(tmpdir(), 'profile-'));
try {
  await profile(name, await buildInto(folder));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function profile(name: string, build: Build): Promise<void> {
  const definition = readDefinitions(build).find((one) => one.name.toLowerCase() === name.replaceAll('-', ''));
  if (!definition) throw new Error(`There is no function ${name}`);
  const profiled = await profileFunction(definition);
  await withPipeline(build, worldOptionsFor(name), async (pipeline) => {
    const { 'in-tens': inTens, path, body } = values;
    const load = await loadOf(name, pipeline, { messagesAPost: inTens ? 10 : 1, path, body });
    await load(() => profiled.read() !== undefined);
  });
  print(name, profiled, join(build.functionsDirectory, name));
}

function print(name: string, { bundle, sourceMap, read }: ProfiledFunction, builtIn: string): void {
  const found = read();
  if (!found) throw new Error('No process has served enough requests');
  const root = join(import.meta.dirname, '../..');
  const placeOf = placesOf({ file: bundle, sourceMap, builtIn, root });
  const perRequest = found.cpuMilliseconds / requests;
  const by = (part: keyof Place) => sharesBy(found.profile, (frame: CallFrame) => placeOf(frame)?.[part]);
  console.log(`${name}: ${perRequest.toFixed(2)} ms of processor time for a request, over ${requests} requests`);
  const table = (title: string, shares: ReadonlyMap<string, Shares>, order: keyof Shares, maxRows: number) => {
    console.log(`\n${title}\n     self            total`);
    const column = (share: number) => `${(100 * share).toFixed(1).padStart(5)} % ${(perRequest * share).toFixed(3)} ms`;
    const sorted = [...shares].sort(([, a], [, b]) => b[order] - a[order]).slice(0, maxRows);
    for (const [key, { self, total }] of sorted) console.log(`${column(self)}  ${column(total)}  ${key}`);
  };
  table('By owner of the code', by('owner'), 'self', Number.POSITIVE_INFINITY);
  table('Functions by their own time', by('name'), 'self', shown);
  table('Functions by the time that they and what they call take', by('name'), 'total', shown);
}
