import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { accountId } from '../base/account.ts';
import type { Credentials } from '../base/signatures/signature-v4.ts';
import type { FunctionDefinition } from '../template/functions.ts';
import { environmentVariables } from './environment-variables.ts';
import { functionError, type InvokeResult, maxResponseBytes } from './invocation.ts';
import { startTimer } from './processor-time.ts';
import { readRuntime, sendEvent } from './runtime-channel.ts';

const bootstrap = fileURLToPath(new URL('./runtime/bootstrap.mjs', import.meta.url));

const initTimeoutMs = 10_000;

export interface ExecutionEnvironmentOptions {
  readonly definition: FunctionDefinition;
  readonly region: string;
  /** Variables in addition to the function's own. */
  readonly variables: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  readonly clockOffsetSeconds: number;
  readonly onLog: (line: string) => void;
  /** The process waits for an event. */
  readonly onIdle: (environment: ExecutionEnvironment) => void;
  /** The process is gone. `initError` is set if it never became ready for an event. */
  readonly onExit: (environment: ExecutionEnvironment, initError: InvokeResult | undefined) => void;
}

interface RunningEvent {
  readonly requestId: string;
  readonly stopTimer: () => void;
  readonly finished: (result: InvokeResult) => void;
}

const responseTooLarge = functionError(
  'Function.ResponseSizeTooLarge',
  `Response payload size exceeded maximum allowed payload size (${maxResponseBytes} bytes).`,
);

const signalNames: Readonly<Record<string, string>> = { SIGABRT: 'aborted', SIGKILL: 'killed' };

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === 0) return 'Runtime exited without providing a reason';
  const cause = signal === null ? `exit status ${code}` : `signal: ${signalNames[signal] ?? signal}`;
  return `Runtime exited with error: ${cause}`;
}

/**
 * A smaller young generation than Node's default, which would make each process grow by 20 MB that it never needs. With
 * 1 MB, deliveries and ingestion took a tenth more processor time.
 */
const memoryFlags = ({ memoryMegabytes }: FunctionDefinition) => [
  `--max-old-space-size=${memoryMegabytes}`,
  '--max-semi-space-size=4',
];

/** A process that runs one function, one event at a time: Lambda's execution environment. */
export class ExecutionEnvironment {
  /** `undefined` if the process could not be started. */
  readonly pid: number | undefined;
  /** Resolves when the initialisation is over, successful or not. */
  readonly initialised: Promise<void>;
  readonly exited: Promise<void>;

  readonly #options: ExecutionEnvironmentOptions;
  readonly #channel: Duplex | undefined;
  readonly #process: ChildProcess;
  readonly #stopInitTimer: () => void;
  readonly #initialisation = Promise.withResolvers<void>();
  #isInitialised = false;
  #initError: InvokeResult | undefined;
  #killed = false;
  #running: RunningEvent | undefined;

  /** Starts the process. It is ready when it has called `onIdle`. */
  constructor(options: ExecutionEnvironmentOptions) {
    const { definition, variables, credentials, region, clockOffsetSeconds } = options;
    this.#options = options;
    this.initialised = this.#initialisation.promise;
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
    const logStream = `${day}/[$LATEST]${randomBytes(16).toString('hex')}`;
    const arn = `arn:aws:lambda:${region}:${accountId}:function:${definition.name}`;
    this.#process = spawn(process.execPath, [...memoryFlags(definition), bootstrap, String(clockOffsetSeconds), arn], {
      cwd: definition.assetFolder,
      env: environmentVariables(definition, variables, { credentials, region, logStream }),
      // The last one is for events and results.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // Its own process group keeps Ctrl-C away. The parent gets it, and ends its functions in order.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.pid = this.#process.pid;
    // Without a process there are no pipes.
    this.#channel = this.#process.stdio?.[3] as Duplex | undefined;
    if (this.#channel) {
      readRuntime(this.#channel, maxResponseBytes, {
        ready: () => this.#ready(),
        responded: (payload) => this.#finish({ payload }),
        failed: (payload) => this.#finish({ payload, functionError: 'Unhandled' }),
        responseTooLarge: () => this.#finish(responseTooLarge),
        crashed: (payload) => this.#crashed({ payload, functionError: 'Unhandled' }),
      });
    }
    this.#stopInitTimer = startTimer(initTimeoutMs, () => this.#initTimedOut());
    const reason = new Promise<string>((resolve) => {
      this.#process.once('error', (error) => resolve(error.message));
      // Comes after all that the process has written.
      this.#process.once('close', (code, signal) => resolve(exitReason(code, signal)));
    });
    this.exited = reason.then((text) => this.#end(text));
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', options.onLog);
    }
  }

  /** Runs an event. The process must be waiting for one. */
  run(payload: string, finished: (result: InvokeResult) => void): void {
    const requestId = randomUUID();
    const timeout = this.#options.definition.timeoutSeconds * 1000;
    this.#running = { requestId, finished, stopTimer: startTimer(timeout, () => this.#timedOut(requestId)) };
    if (this.#channel) sendEvent(this.#channel, requestId, Date.now() + timeout, payload);
  }

  /** Kills the process, whatever it is doing. `exited` resolves when it is gone. */
  kill(): void {
    this.#killed = true;
    this.#process.kill('SIGKILL');
  }

  #ready(): void {
    this.#stopInitTimer();
    this.#isInitialised = true;
    this.#initialisation.resolve();
    this.#options.onIdle(this);
  }

  /** The event is over, and the process is ready for the next one. */
  #finish(result: InvokeResult): void {
    this.#endEvent(result);
    if (!this.#killed) this.#options.onIdle(this);
  }

  #crashed(result: InvokeResult): void {
    if (this.#isInitialised) this.#endEvent(result);
    else this.#initError = result;
  }

  #endEvent(result: InvokeResult): void {
    if (!this.#running) return;
    const { stopTimer, finished } = this.#running;
    this.#running = undefined;
    stopTimer();
    finished(result);
  }

  #timedOut(requestId: string): void {
    const message = `Task timed out after ${this.#options.definition.timeoutSeconds.toFixed(2)} seconds`;
    this.#logError(message, requestId);
    this.kill();
    this.#endEvent(functionError('Sandbox.Timedout', `RequestId: ${requestId} Error: ${message}`));
  }

  /** Lambda would retry within the function's own timeout. Here so slow a start fails, to be noticed. */
  #initTimedOut(): void {
    const message = `Initialization timed out after ${(initTimeoutMs / 1000).toFixed(2)} seconds`;
    this.#logError(message);
    this.#initError = functionError('Sandbox.Timedout', message);
    this.kill();
  }

  #end(reason: string): void {
    this.#stopInitTimer();
    this.#initialisation.resolve();
    const requestId = this.#running?.requestId;
    if (!this.#killed && !this.#initError) this.#logError(reason, requestId);
    if (requestId !== undefined) {
      this.#endEvent(functionError('Runtime.ExitError', `RequestId: ${requestId} Error: ${reason}`));
    }
    const initError = this.#initError ?? functionError('Runtime.ExitError', `Error: ${reason}`);
    this.#options.onExit(this, this.#isInitialised ? undefined : initError);
  }

  #logError(message: string, requestId?: string): void {
    this.#options.onLog(JSON.stringify({ timestamp: new Date().toISOString(), level: 'ERROR', requestId, message }));
  }
}
