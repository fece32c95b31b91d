import { availableParallelism, totalmem } from 'node:os';
import { defaultRegion } from '../base/account.ts';
import type { Credentials } from '../base/signatures/signature-v4.ts';
import { startWatchdog } from '../base/watchdog.ts';
import type { FunctionDefinition } from '../template/functions.ts';
import type { ExecutionEnvironment } from './execution-environment.ts';
import { FunctionPool } from './function-pool.ts';
import { type Invoke, maxRequestBytes, RequestTooLargeError, StoppedError } from './invocation.ts';
import { watchProcessorTime } from './processor-time.ts';

export interface LambdaOptions {
  readonly functions: readonly FunctionDefinition[];
  /** Variables that every function gets in addition to its own: `AWS_ENDPOINT_URL_…`. */
  readonly environment: Readonly<Record<string, string>>;
  /** As whom a function calls AWS. */
  readonly credentialsOf: (logicalId: string) => Credentials;
  /** Receives each line that a function prints. `console` prints one JSON object per line. */
  readonly onLog: (functionName: string, line: string) => void;
  readonly region?: string;
  /** How far the functions' clocks are ahead. */
  readonly clockOffsetSeconds?: number;
  /** How long a process may be idle before it is ended. */
  readonly idleMilliseconds?: number;
  /** How many processes run at once at most. This is the machine's limit, not Lambda's: further events wait. */
  readonly maximumProcesses?: number;
}

export interface LambdaService {
  readonly invoke: Invoke;
  /** Waits until no event of the function waits for a process. */
  ready(functionName: string): Promise<void>;
  /** Ends every process. Invocations that are running fail. */
  close(): Promise<void>;
}

/** Starting more processes at once only delays each of them. Running processes take the waiting events meanwhile. */
const maxStarting = 2 * availableParallelism();

/** The memory of a function's process that has served for a while. */
const processBytes = 100 * 1024 * 1024;

/** With fewer, all could wait for each other: a function may call a service that calls another function. */
const leastProcesses = 12;
const maxProcesses = 64;

/** As many processes as fit into a fifth of the memory that this process may use. */
export function affordableProcesses(
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || totalmem()),
): number {
  const affordable = Math.floor(memoryBytes / 5 / processBytes);
  return Math.min(maxProcesses, Math.max(leastProcesses, affordable));
}

/** Runs functions as Lambda does: each in its own processes, one event per process, and one more when none is idle. */
export async function startLambda(options: LambdaOptions): Promise<LambdaService> {
  const { maximumProcesses = affordableProcesses() } = options;
  // A process that waits notices the end of this one. One that runs an event would go on.
  const watchdog = await startWatchdog();
  const pools = new Map<string, FunctionPool>();
  const isProcessorTimeLeft = watchProcessorTime();
  let processes = 0;
  let starting = 0;
  let evicting = false;
  let closed = false;

  // A function whose processes all wait, for example for a slow receiver, must leave room for the others.
  const maxOfOneFunction = Math.ceil(maximumProcesses * 0.75);

  function mayStart({ processes: ofFunction }: FunctionPool): boolean {
    if (closed || starting >= maxStarting || ofFunction >= maxOfOneFunction) return false;
    if (processes < maximumProcesses) {
      processes += 1;
      starting += 1;
      return true;
    }
    // There is room as soon as the evicted process has gone. Until then, no other has to go.
    if (!evicting) evicting = longestIdle()?.evict() ?? false;
    return false;
  }

  /** The function that is most likely not to need its process again soon. */
  function longestIdle(): FunctionPool | undefined {
    const idle = [...pools.values()].filter(({ idleSince }) => idleSince !== undefined);
    return idle.sort((a, b) => Number(a.idleSince) - Number(b.idleSince))[0];
  }

  async function afterStart({ pid, initialised }: ExecutionEnvironment): Promise<void> {
    if (pid) watchdog?.watch(pid);
    await initialised;
    starting -= 1;
    dispatchAll();
  }

  function afterExit({ pid }: ExecutionEnvironment): void {
    processes -= 1;
    evicting = false;
    if (pid) watchdog?.forget(pid);
    dispatchAll();
  }

  /** Those with the fewest processes go first, so that a busy function does not keep the others from starting. */
  function dispatchAll(): void {
    const waiting: FunctionPool[] = [];
    for (const pool of pools.values()) if (pool.hasWaitingEvents) waiting.push(pool);
    for (const pool of waiting.sort((a, b) => a.processes - b.processes)) pool.dispatch();
  }

  for (const definition of options.functions) {
    const pool: FunctionPool = new FunctionPool({
      definition,
      region: options.region ?? defaultRegion,
      variables: options.environment,
      credentials: options.credentialsOf(definition.logicalId),
      clockOffsetSeconds: options.clockOffsetSeconds ?? 0,
      idleMilliseconds: options.idleMilliseconds ?? 60_000,
      onLog: (line) => options.onLog(definition.name, line),
      mayStart: () => mayStart(pool),
      isProcessorTimeLeft,
      onStart: afterStart,
      onIdle: dispatchAll,
      onExit: afterExit,
    });
    pools.set(definition.name, pool);
  }

  return {
    async invoke(functionName, payload) {
      const pool = pools.get(functionName);
      if (closed) throw new StoppedError();
      if (!pool) throw new Error(`There is no function ${functionName}.`);
      if (Buffer.byteLength(payload) > maxRequestBytes) throw new RequestTooLargeError();
      return pool.invoke(payload);
    },

    async ready(functionName) {
      await pools.get(functionName)?.ready();
    },

    async close() {
      closed = true;
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      watchdog?.close();
    },
  };
}
