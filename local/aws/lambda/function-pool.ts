import { ExecutionEnvironment, type ExecutionEnvironmentOptions } from './execution-environment.ts';
import { functionError, type InvokeResult, ThrottledError } from './invocation.ts';

export interface FunctionPoolOptions extends Omit<ExecutionEnvironmentOptions, 'onIdle' | 'onExit'> {
  /** How long a process may be idle before it is ended. */
  readonly idleMilliseconds: number;
  /** Reserves room for one more process, if there is any. */
  readonly mayStart: () => boolean;
  readonly onStart: (environment: ExecutionEnvironment) => void;
  readonly onIdle: () => void;
  /** Gives the room back. The argument is `undefined` if the process did not start. */
  readonly onExit: (environment: ExecutionEnvironment | undefined) => void;
}

interface WaitingEvent {
  readonly payload: string;
  readonly resolve: (result: InvokeResult) => void;
  readonly reject: (error: Error) => void;
}

interface IdleEnvironment {
  readonly environment: ExecutionEnvironment;
  readonly eviction: NodeJS.Timeout;
}

/** The processes of one function, and the events that wait for one. */
export class FunctionPool {
  readonly #options: FunctionPoolOptions;
  readonly #environments = new Set<Promise<ExecutionEnvironment>>();
  readonly #waiting: WaitingEvent[] = [];
  /** The most recently used process is last and is taken first, so that the others can be ended for being idle. */
  readonly #idle: IdleEnvironment[] = [];
  #running = 0;

  constructor(options: FunctionPoolOptions) {
    this.#options = options;
  }

  get processes(): number {
    return this.#environments.size;
  }

  invoke(payload: string): Promise<InvokeResult> {
    const { reservedConcurrency = Number.POSITIVE_INFINITY } = this.#options.definition;
    if (this.#running + this.#waiting.length >= reservedConcurrency) return Promise.reject(new ThrottledError());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ payload, resolve, reject });
      this.dispatch();
    });
  }

  /** Hands waiting events to idle processes, and starts processes for the rest. */
  dispatch(): void {
    while (this.#waiting.length > 0) {
      const idle = this.#idle.pop();
      if (!idle) break;
      clearTimeout(idle.eviction);
      this.#run(idle.environment, this.#waiting.shift());
    }
    // Processes that are starting, or about to ask for their next event, will also take some.
    const arriving = this.#environments.size - this.#running - this.#idle.length;
    for (let missing = this.#waiting.length - arriving; missing > 0 && this.#options.mayStart(); missing -= 1) {
      this.#start();
    }
  }

  /** Ends the process that has been idle the longest, if there is one. */
  evict(): boolean {
    const oldest = this.#idle.shift();
    if (oldest) {
      clearTimeout(oldest.eviction);
      oldest.environment.kill();
    }
    return oldest !== undefined;
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new Error('The functions are being stopped.'));
    }
    const results = await Promise.allSettled(this.#environments);
    await Promise.all(
      results.map(async (start) => {
        if (start.status === 'fulfilled') {
          start.value.kill();
          await start.value.exited;
        }
      }),
    );
  }

  #run(environment: ExecutionEnvironment, event: WaitingEvent | undefined): void {
    if (event) {
      this.#running += 1;
      environment.run(event.payload, (result) => {
        this.#running -= 1;
        event.resolve(result);
      });
    }
  }

  #start(): void {
    const start = ExecutionEnvironment.start({
      ...this.#options,
      onIdle: (environment) => this.#becameIdle(environment),
      onExit: (environment, initError) => this.#gone(start, environment, initError),
    });
    this.#environments.add(start);
    start.then(this.#options.onStart, (error) =>
      this.#gone(start, undefined, functionError('Sandbox.Failure', String(error))),
    );
  }

  #becameIdle(environment: ExecutionEnvironment): void {
    const eviction = setTimeout(() => this.#evictIdle(environment), this.#options.idleMilliseconds);
    this.#idle.push({ environment, eviction });
    this.dispatch();
    this.#options.onIdle();
  }

  #evictIdle(environment: ExecutionEnvironment): void {
    this.#forgetIdle(environment);
    environment.kill();
  }

  #forgetIdle(environment: ExecutionEnvironment | undefined): void {
    const index = this.#idle.findIndex((idle) => idle.environment === environment);
    const [idle] = index < 0 ? [] : this.#idle.splice(index, 1);
    clearTimeout(idle?.eviction);
  }

  #gone(
    start: Promise<ExecutionEnvironment>,
    environment: ExecutionEnvironment | undefined,
    initError: InvokeResult | undefined,
  ): void {
    this.#environments.delete(start);
    this.#forgetIdle(environment);
    if (initError) this.#waiting.shift()?.resolve(initError);
    this.#options.onExit(environment);
  }
}
