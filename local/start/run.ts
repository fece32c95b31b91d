import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { visibleLine } from '#shared/base/text.ts';
import { assertFree, freePort } from '../aws/base/http/free-port.ts';
import { EngineError } from '../aws/dynamodb/engine.ts';
import { demonstrate } from '../demo.ts';
import { ExposedError, waitUntilReached } from '../live/reach.ts';
import { newAddressHelp, nextSteps } from '../live/texts.ts';
import { Parts } from '../parts.ts';
import { type ResettableWorld, runWithResets } from '../resets.ts';
import { stopSignal } from '../stop-signal.ts';
import type { LiveWorldOptions, WorldOptions } from '../world.ts';
import type { WorldAddresses } from '../world-description.ts';
import { worldFolder, worldPrefix } from '../world-folder.ts';
import { isUpToDate } from './build-stamp.ts';
import { claimFolder, makeDataFolder } from './data-folder.ts';
import { LockedError, lock } from './lock.ts';
import { readableLine } from './log-line.ts';
import { OptionError, readOptions, type StartFlags, type StartOptions } from './options.ts';

const buildScript = fileURLToPath(new URL('./build.ts', import.meta.url));

/** How long stopping may take before the process ends regardless. */
const stopWithinMs = 4_500;

/** Builds the functions, synthesises the stack and runs both on this machine until it is stopped. */
export function start(flags: StartFlags): void {
  run(flags).catch((error: unknown) => fail(explain(error)));
}

async function run(flags: StartFlags): Promise<void> {
  const options = readOptions(flags, await withKnownPort(flags), worldFolder({ live: false }, {}));
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
    await Promise.all([build, import('../world.ts')]);
  }
  await serve(options, buildDir, running);
}

/** The environment. A tunnel leads to one port, so that of a live world is chosen before its command is printed. */
async function withKnownPort({ live }: StartFlags): Promise<NodeJS.ProcessEnv> {
  const picksPort = live && /^0+$/.test(process.env.PUBLIC_PORT ?? '');
  return picksPort ? { ...process.env, PUBLIC_PORT: String(await freePort()) } : process.env;
}

/** Checks first what would make the start fail later, because building takes seconds. */
async function assertPortsFree({ ports, upstreamBaseUrl, publicUrl }: StartOptions): Promise<void> {
  const { api, upstream, console: ofConsole } = ports;
  const needed = [api, ofConsole];
  if (publicUrl !== undefined) needed.push(ports.public);
  else if (upstreamBaseUrl === undefined) needed.push(upstream);
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
  const signal = stopSignal();
  const running: Running = { signal, parts: new Parts() };
  const stop = async () => {
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    await running.parts.close();
    process.exit(0);
  };
  signal.addEventListener('abort', () => void stop().catch((error: unknown) => fail(explain(error))));
  return running;
}

async function serve(options: StartOptions, buildDir: string, running: Running): Promise<void> {
  const { publicUrl } = options;
  const worldOptions: WorldOptions = {
    ...options,
    templateFile: join(buildDir, 'assembly', 'messaging-dev.template.json'),
    dataDir: join(options.dataDir, 'data'),
    onLog(functionName, line) {
      const text = options.json ? visibleLine(`${functionName} ${line}`) : readableLine(functionName, line);
      if (text !== undefined) process.stdout.write(`${text}\n`);
    },
    onError: (error) => console.error(error.message),
    onProgress: (step) => console.log(step),
  };
  const assets = join(buildDir, 'console');
  await (publicUrl === undefined
    ? serveSimulated(options, worldOptions, assets, running)
    : serveLive(
        options,
        { ...worldOptions, publicUrl, publicPort: options.ports.public, proofPath: `/${randomUUID()}` },
        assets,
        running,
      ));
}

async function serveSimulated(
  options: StartOptions,
  worldOptions: WorldOptions,
  assets: string,
  { parts, signal }: Running,
): Promise<void> {
  const [{ startWorld }, { openConsole }] = await Promise.all([import('../world.ts'), import('../console/console.ts')]);
  const { demo, hosts } = options;
  let { ports, fresh } = options;
  let running = new Parts();
  await parts.start({ close: () => running.close() });

  async function start(): Promise<ResettableWorld> {
    const { promise: reset, resolve } = Promise.withResolvers<void>();
    const own = new Parts();
    running = own;
    try {
      const { onAwsCall, watch, serve } = openConsole();
      const world = await own.start(startWorld({ ...worldOptions, ports, fresh, onAwsCall, watch }));
      const { description } = world;
      const opened = await own.start(serve(world, { port: ports.console, assets, hosts, reset: resolve }));
      const consoleUrl = describe(options, description, opened);
      if (demo) {
        const { url, secret } = await demonstrate(description);
        console.log(`preview ${url} secret ${secret}`);
      }
      console.log(`console ${consoleUrl}`);
      console.log(`ready ${description.base_url}`);
      // The next world is found where this one was.
      fresh = false;
      ports = {
        ...ports,
        api: portOf(description.base_url),
        upstream: portOf(description.upstream_url),
        console: portOf(opened.url),
      };
      return { reset, close: () => own.close() };
    } catch (error) {
      await own.close().catch(worldOptions.onError);
      throw error;
    }
  }

  await runWithResets({ dataDir: worldOptions.dataDir, signal, start });
}

const portOf = (url: string) => Number(new URL(url).port);

async function serveLive(
  options: StartOptions,
  worldOptions: LiveWorldOptions,
  assets: string,
  { parts, signal }: Running,
): Promise<void> {
  const [{ startLiveWorld, isWithoutWorkspaces }, { openConsole }] = await Promise.all([
    import('../world.ts'),
    import('../console/console.ts'),
  ]);
  const { onAwsCall, serveLive: servePage } = openConsole();
  const world = await parts.start(startLiveWorld({ ...worldOptions, onAwsCall }));
  const { description, table } = world;
  const { ports, hosts } = options;
  const prefix = worldPrefix(process.env);
  const opened = await parts.start(servePage(world, { port: ports.console, assets, hosts, prefix }));
  console.log(`console ${describe(options, description, opened)}`);
  console.log((await isWithoutWorkspaces(table)) ? nextSteps(description, prefix) : newAddressHelp(prefix));
  console.log(`live ${description.public_url}`);
  console.log(`ready ${description.base_url}`);
  await waitUntilReached(
    { ...worldOptions, tunnelUrl: String(description.tunnel_url) },
    { report: console.log, signal },
  );
}

/** Writes where everything is. Returns the console's address, which has one name: pages keep unsaved texts under it. */
function describe({ dataDir }: StartOptions, addresses: WorldAddresses, opened: { url: string }): string {
  const url = `http://localhost:${portOf(opened.url)}`;
  writeFileSync(join(dataDir, 'world.json'), `${JSON.stringify({ ...addresses, console_url: url }, null, 2)}\n`);
  return url;
}

/** One line for people. For our own faults it is the stack. */
function explain(error: unknown): string {
  if ([OptionError, LockedError, EngineError, ExposedError].some((type) => error instanceof type))
    return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  if (Reflect.get(error, 'code') === 'EADDRINUSE') {
    return `Port ${Reflect.get(error, 'port')} is taken. Stop what listens there, or set PORT, UPSTREAM_PORT, CONSOLE_PORT or PUBLIC_PORT to another one.`;
  }
  return error.stack ?? error.message;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
