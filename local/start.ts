/** `npm start`: builds the functions, synthesises the stack and runs both on this machine until it is stopped. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startConsole } from './console/server.ts';
import { LockedError, lock } from './lock.ts';
import { OptionError, readOptions, type StartOptions } from './options.ts';
import { startWorld } from './world.ts';

const root = join(import.meta.dirname, '..');
const templateFile = join(root, 'cdk.out', 'messaging-dev.template.json');

/** How long stopping may take before the process ends all the same. */
const stopWithinMs = 4_500;

function main(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 18)) {
    fail(`The local world needs Node 22.18 or newer, found ${process.versions.node}. Start it with: npm start`);
  }
  run(process.argv.slice(2)).catch((error: unknown) => fail(explain(error)));
}

async function run(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv, process.env, join(root, '.local'));
  mkdirSync(options.dataDir, { recursive: true });
  const unlock = lock(join(options.dataDir, 'lock'));
  process.on('exit', unlock);

  const run = promisify(execFile);
  await run(process.execPath, [join(root, 'infra', 'build.ts')]);
  await run(process.execPath, [join(root, 'infra', 'app.ts')], { cwd: root });
  await serve(options);
}

async function serve(options: StartOptions): Promise<void> {
  const world = await startWorld({
    ...options,
    templateFile,
    onLog: (functionName, line) => console.log(`${functionName} ${line}`),
    onError: (error) => console.error(error.message),
  });
  const console_ = await startConsole(options.ports.console, world.description);
  const description = { ...world.description, console_url: console_.url };

  const stop = () => {
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    console_
      .close()
      .then(world.close)
      .then(
        () => process.exit(0),
        (error: unknown) => fail(explain(error)),
      );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);

  writeFileSync(join(options.dataDir, 'world.json'), `${JSON.stringify(description, null, 2)}\n`);
  console.log(`console ${description.console_url}`);
  console.log(`ready ${description.base_url}`);
}

/** One line for people; a fault of ours shows where it is. */
function explain(error: unknown): string {
  if (error instanceof OptionError || error instanceof LockedError) return error.message;
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

main();
