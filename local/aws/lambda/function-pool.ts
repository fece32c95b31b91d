import { availableParallelism } from 'node:os';
import { ExecutionEnvironment, type ExecutionEnvironmentOptions } from './execution-environment.ts';
import { type InvokeResult, StoppedError, ThrottledError } from './invocation.ts';

export interface FunctionPoolOptions extends Omit<ExecutionEnvironmentOptions, 'onIdle' | 'onExit'> {
  /** How long a process may be idle before it is ended. */
  readonly idleMilliseconds: number;
  /** Reserves room for one more process, if there is any. */
  readonly mayStart: () => boolean;
  /** Whether the machine has processor time left. */
  readonly isProcessorTimeLeft: () => boolean;
  readonly onStart: (environment: ExecutionEnvironment) => void;
  readonly onIdle: () => void;
  /** Gives the room back. */
  readonly onExit: (environment: ExecutionEnvironment) => void;
}

interface WaitingEvent {
  readonly payload: string;
  readonly resolve: (result: InvokeResult) => void;
  readonly reject: (error: Error) => void;
}

interface IdleEnvironment {
  readonly environment: ExecutionEnvironment;
  readonly since: number;
  readonly eviction: NodeJS.Timeout;
}

/** More processes than cores serve no event sooner: each takes memory, and runs code that is not compiled yet. */
const maxAtWork = Math.max(2, Math.min(4, availableParallelism()));

/**
 * A process that takes longer for an event is not at work: it waits for somebody else, for example for a slow receiver.
 * The more processes the function has, the longer, because processes that share the cores slow each other down. It takes
 * far longer while no core is idle, because then all may wait for processor time, and one more would make it worse.
 */
const longMilliseconds = (processes: number, isProcessorTimeLeft: boolean) =>
  (50 + 25 * processes) * (isProcessorTimeLeft ? 1 : 6);

const dispatchAgainMs = 50;

/** The processes of one function, and the events that wait for one. */
export class FunctionPool {
  readonly #options: FunctionPoolOptions;
  readonly #environments = new Set<ExecutionEnvironment>();
  readonly #waiting: WaitingEvent[] = [];
  /** The most recently used process is last and is taken first, so that the others can be ended for being idle. */
  readonly #idle: IdleEnvironment[] = [];
  /** When the events that are running have begun, the oldest first. */
  readonly #running = new Map<ExecutionEnvironment, number>();
  #nextDispatch: NodeJS.Timeout | undefined;
  #allTaken: PromiseWithResolvers<void> | undefined;

  constructor(options: FunctionPoolOptions) {
    this.#options = options;
  }

  get hasWaitingEvents(): boolean {
    return this.#waiting.length > 0;
  }

  /** Waits until no event waits for a process. */
  async ready(): Promise<void> {
    if (this.#waiting.length === 0) return;
    this.#allTaken ??= Promise.withResolvers();
    await this.#allTaken.promise;
  }

  get processes(): number {
    return this.#environments.size;
  }

  invoke(payload: string): Promise<InvokeResult> {
    const { reservedConcurrency = Number.POSITIVE_INFINITY } = this.#options.definition;
    if (this.#running.size + this.#waiting.length >= reservedConcurrency) return Promise.reject(new ThrottledError());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ payload, resolve, reject });
      this.dispatch();
    });
  }

  /** Hands waiting events to idle processes, and starts processes for the rest if that helps. */
  dispatch(): void {
    while (this.#waiting.length > 0) {
      const idle = this.#idle.pop();
      if (!idle) break;
      clearTimeout(idle.eviction);
      this.#run(idle.environment, this.#waiting.shift());
    }
    // Processes that are starting, or about to ask for their next event, will also take some.
    const arriving = this.#environments.size - this.#running.size - this.#idle.length;
    const wanted = this.#waiting.length - arriving;
    const missing = wanted > 0 ? Math.min(wanted, maxAtWork - this.#atWork()) : 0;
    for (let starts = 0; starts < missing && this.#options.mayStart(); starts += 1) {
      this.#start();
    }
    if (this.#waiting.length > 0) this.#dispatchLater();
    else this.#reportAllTaken();
  }

  #reportAllTaken(): void {
    this.#allTaken?.resolve();
    this.#allTaken = undefined;
  }

  /** How many processes can be expected to take an event soon. */
  #atWork(): number {
    const processes = this.#environments.size;
    const longSince = performance.now() - longMilliseconds(processes, this.#options.isProcessorTimeLeft());
    const waiting = [...this.#running.values()].filter((begun) => begun <= longSince).length;
    return processes - waiting;
  }

  /** Events that still wait may need another process as soon as a running event has taken long. */
  #dispatchLater(): void {
    this.#nextDispatch ??= setTimeout(() => {
      this.#nextDispatch = undefined;
      this.dispatch();
    }, dispatchAgainMs);
  }

  /** The time since which the process that `evict` would end has been idle. */
  get idleSince(): number | undefined {
    return this.#idle[0]?.since;
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
    clearTimeout(this.#nextDispatch);
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new StoppedError());
    }
    this.#reportAllTaken();
    for (const environment of this.#environments) environment.kill();
    await Promise.all([...this.#environments].map(({ exited }) => exited));
  }

  #run(environment: ExecutionEnvironment, event: WaitingEvent | undefined): void {
    if (event) {
      this.#running.set(environment, performance.now());
      environment.run(event.payload, (result) => {
        this.#running.delete(environment);
        event.resolve(result);
      });
    }
  }

  #start(): void {
    const environment = new ExecutionEnvironment({
      ...this.#options,
      onIdle: (idle) => this.#becameIdle(idle),
      onExit: (gone, initError) => this.#gone(gone, initError),
    });
    this.#environments.add(environment);
    this.#options.onStart(environment);
  }

  #becameIdle(environment: ExecutionEnvironment): void {
    const eviction = setTimeout(() => this.#evictIdle(environment), this.#options.idleMilliseconds);
    this.#idle.push({ environment, since: performance.now(), eviction });
    this.dispatch();
    this.#options.onIdle();
  }

  #evictIdle(environment: ExecutionEnvironment): void {
    this.#forgetIdle(environment);
    environment.kill();
  }

  #forgetIdle(environment: ExecutionEnvironment): void {
    const index = this.#idle.findIndex((idle) => idle.environment === environment);
    const [idle] = index < 0 ? [] : this.#idle.splice(index, 1);
    clearTimeout(idle?.eviction);
  }

  #gone(environment: ExecutionEnvironment, initError: InvokeResult | undefined): void {
    this.#environments.delete(environment);
    this.#forgetIdle(environment);
    if (initError) this.#waiting.shift()?.resolve(initError);
    this.#options.onExit(environment);
    this.dispatch();
  }
}
