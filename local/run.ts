import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assertFree } from './aws/base/http/free-port.ts';
import { EngineError } from './aws/dynamodb/engine.ts';
import { isUpToDate } from './build-stamp.ts';
import { consolePage, livePage } from './console/page.ts';
import { startConsole } from './console/server.ts';
import { makeDataFolder } from './data-folder.ts';
import { demonstrate } from './demo.ts';
import { claimFolder } from './live/folder.ts';
import { ExposedError, waitUntilReached } from './live/reach.ts';
import { nextSteps } from './live/texts.ts';
import { LockedError, lock } from './lock.ts';
import { OptionError, readOptions, type StartOptions } from './options.ts';
import { Parts } from './parts.ts';
import type { LiveWorldOptions, WorldOptions } from './world.ts';
import type { WorldAddresses } from './world-description.ts';

const buildScript = fileURLToPath(new URL('./build.ts', import.meta.url));

/** How long stopping may take before the process ends regardless. */
const stopWithinMs = 4_500;

/** Builds the functions, synthesises the stack and runs both on this machine until it is stopped. */
export function main(): void {
  run(process.argv.slice(2)).catch((error: unknown) => fail(explain(error)));
}

async function run(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv, process.env, join(import.meta.dirname, '..', '.local'));
  makeDataFolder(options.dataDir);
  const unlock = await lock(options.dataDir);
  process.on('exit', unlock);
  claimFolder(options.dataDir, options.publicUrl === undefined ? 'simulated' : 'live');

  const running = stopOnSignals();
  await assertPortsFree(options);
  const buildDir = join(options.dataDir, 'build');
  if (options.fresh || !(await isUpToDate(buildDir))) {
    console.log('building the functions and synthesising the stack');
    const build = promisify(execFile)(process.execPath, [buildScript, buildDir], { signal: running.signal });
    // The build does not keep all cores busy, so the world loads meanwhile.
    await Promise.all([build, import('./world.ts')]);
  }
  await serve(options, join(buildDir, 'assembly', 'messaging-dev.template.json'), running);
}

/** Checks first what would make the start fail later, because building takes seconds. */
async function assertPortsFree({ ports, upstreamBaseUrl, publicUrl }: StartOptions): Promise<void> {
  const { api, upstream, console: ofConsole } = ports;
  const needed = [api, ofConsole, ...((upstreamBaseUrl ?? publicUrl) === undefined ? [upstream] : [])];
  for (const port of needed.filter((one) => one !== 0)) await assertFree(port);
}

interface Running {
  /** Aborts when the process is about to end. */
  signal: AbortSignal;
  /** They are closed then. */
  parts: Parts;
}

/** Ends the process in order on SIGINT and SIGTERM. */
function stopOnSignals(): Running {
  const stopping = new AbortController();
  const running: Running = { signal: stopping.signal, parts: new Parts() };
  const stop = async () => {
    // One Ctrl-C arrives twice: the terminal sends it to npm and to us, and npm passes it on.
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    await running.parts.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => void stop().catch((error: unknown) => fail(explain(error))));
  }
  return running;
}

async function serve(options: StartOptions, templateFile: string, running: Running): Promise<void> {
  const { publicUrl } = options;
  const worldOptions: WorldOptions = {
    ...options,
    templateFile,
    dataDir: join(options.dataDir, 'data'),
    onLog: (functionName, line) => void process.stdout.write(`${functionName} ${line}\n`),
    onError: (error) => console.error(error.message),
    onProgress: (step) => console.log(step),
  };
  await (publicUrl === undefined
    ? serveSimulated(options, worldOptions, running)
    : serveLive(options, { ...worldOptions, publicUrl, proofPath: `/${randomUUID()}` }, running));
}

async function serveSimulated(options: StartOptions, worldOptions: WorldOptions, running: Running): Promise<void> {
  const { startWorld } = await import('./world.ts');
  const { description } = await running.parts.start(startWorld(worldOptions));
  await describe(options, description, consolePage(description), running);
  if (options.demo) {
    const { url, secret } = await demonstrate(description);
    console.log(`preview ${url} secret ${secret}`);
  }
  console.log(`ready ${description.base_url}`);
}

async function serveLive(options: StartOptions, worldOptions: LiveWorldOptions, running: Running): Promise<void> {
  const { startLiveWorld, isWithoutWorkspaces } = await import('./world.ts');
  const { description, table } = await running.parts.start(startLiveWorld(worldOptions));
  await describe(options, description, livePage(description), running);
  if (await isWithoutWorkspaces(table)) console.log(nextSteps(description));
  console.log(`live ${description.public_url}`);
  console.log(`ready ${description.base_url}`);
  const { signal } = running;
  await waitUntilReached({ ...worldOptions, localUrl: description.base_url }, { report: console.log, signal });
}

/** Starts the console, and writes where everything is. */
async function describe(
  { ports, hosts, dataDir }: StartOptions,
  addresses: WorldAddresses,
  page: string,
  { parts }: Running,
): Promise<void> {
  const { url } = await parts.start(startConsole(ports.console, page, hosts));
  const description = { ...addresses, console_url: url };
  writeFileSync(join(dataDir, 'world.json'), `${JSON.stringify(description, null, 2)}\n`);
  console.log(`console ${url}`);
}

/** One line for people. For our own faults it is the stack. */
function explain(error: unknown): string {
  if ([OptionError, LockedError, EngineError, ExposedError].some((type) => error instanceof type))
    return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  if (Reflect.get(error, 'code') === 'EADDRINUSE') {
    return `Port ${Reflect.get(error, 'port')} is taken. Stop what listens there, or set PORT, UPSTREAM_PORT or CONSOLE_PORT to another one.`;
  }
  return error.stack ?? error.message;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
