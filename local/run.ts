import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assertFree } from './aws/base/http/free-port.ts';
import { EngineError } from './aws/dynamodb/engine.ts';
import { isUpToDate } from './build-stamp.ts';
import { makeDataFolder } from './data-folder.ts';
import { demonstrate } from './demo.ts';
import { LockedError, lock } from './lock.ts';
import { OptionError, readOptions, type StartOptions } from './options.ts';
import { Parts } from './parts.ts';

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

  const running = stopOnSignals();
  await assertPortsFree(options);
  const buildDir = join(options.dataDir, 'build');
  if (options.fresh || !(await isUpToDate(buildDir))) {
    console.log('building the functions and synthesising the stack');
    const build = promisify(execFile)(process.execPath, [buildScript, buildDir], { signal: running.signal });
    // The build does not keep all cores busy, so the world loads meanwhile.
    await Promise.all([build, import('./world.ts')]);
  }
  await serve(options, buildDir, running);
}

/** Checks first what would make the start fail later, because building takes seconds. */
async function assertPortsFree({ ports, upstreamBaseUrl }: StartOptions): Promise<void> {
  const { api, upstream, console: ofConsole } = ports;
  const needed = [api, ofConsole, ...(upstreamBaseUrl === undefined ? [upstream] : [])];
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

async function serve(options: StartOptions, buildDir: string, { parts }: Running): Promise<void> {
  const [{ startWorld }, { openConsole }] = await Promise.all([import('./world.ts'), import('./console/console.ts')]);
  const opened = openConsole();
  const starting = startWorld({
    ...options,
    templateFile: join(buildDir, 'assembly', 'messaging-dev.template.json'),
    dataDir: join(options.dataDir, 'data'),
    onLog: (functionName, line) => void process.stdout.write(`${functionName} ${line}\n`),
    onError: (error) => console.error(error.message),
    onProgress: (step) => console.log(step),
    onAwsCall: opened.onAwsCall,
    watch: opened.watch,
  });
  const world = await parts.start(starting);
  const { hosts, ports } = options;
  const console_ = await parts.start(
    opened.serve(world, { port: ports.console, assets: join(buildDir, 'console'), hosts }),
  );

  const description = { ...world.description, console_url: console_.url };
  writeFileSync(join(options.dataDir, 'world.json'), `${JSON.stringify(description, null, 2)}\n`);
  console.log(`console ${description.console_url}`);
  if (options.demo) {
    const { url, secret } = await demonstrate(world.description);
    console.log(`preview ${url} secret ${secret}`);
  }
  console.log(`ready ${description.base_url}`);
}

/** One line for people. For our own faults it is the stack. */
function explain(error: unknown): string {
  if ([OptionError, LockedError, EngineError].some((type) => error instanceof type)) return (error as Error).message;
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
