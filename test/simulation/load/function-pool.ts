import type { Process } from '../process.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Service } from '../service.ts';

interface Environment {
  process: Process;
  service: Service;
}

export interface PoolContext {
  scheduler: Scheduler;
  serviceOf: (process: Process) => Service;
  /** Returns which of this many idle environments is used next; the last one was busy most recently. */
  pick: (idle: number) => number;
}

/** The execution environments of one Lambda function: each handles one invocation at a time, and is used again. */
export class FunctionPool {
  readonly #scheduler: Scheduler;
  readonly #serviceOf: (process: Process) => Service;
  readonly #timeoutMs: number;
  readonly #pick: (idle: number) => number;
  readonly #idle: Environment[] = [];
  #busy = 0;
  /** The most invocations at once. */
  maxBusy = 0;
  invocations = 0;
  /** Milliseconds of all invocations, and of the longest. */
  durationMs = 0;
  longestMs = 0;
  timeouts = 0;
  failures = 0;

  constructor({ scheduler, serviceOf, pick }: PoolContext, timeoutMs: number) {
    this.#scheduler = scheduler;
    this.#serviceOf = serviceOf;
    this.#timeoutMs = timeoutMs;
    this.#pick = pick;
  }

  /** Runs `work` in an environment; `undefined` when it fails or takes too long. */
  async invoke<T>(work: (service: Service) => Promise<T>): Promise<T | undefined> {
    const environment = this.#take() ?? this.#newEnvironment();
    const begunAt = this.#scheduler.now;
    this.invocations++;
    this.maxBusy = Math.max(this.maxBusy, ++this.#busy);
    const result = await this.#withinTime(environment, work);
    this.#busy--;
    const durationMs = this.#scheduler.now - begunAt;
    this.durationMs += durationMs;
    this.longestMs = Math.max(this.longestMs, durationMs);
    if (environment.process.isAlive) this.#idle.push(environment);
    return result;
  }

  #take(): Environment | undefined {
    const at = this.#pick(this.#idle.length);
    const [picked, last] = [this.#idle[at], this.#idle.pop()];
    if (last && picked !== last) this.#idle[at] = last;
    return picked;
  }

  #withinTime<T>({ process, service }: Environment, work: (service: Service) => Promise<T>): Promise<T | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#scheduler.after(this.#timeoutMs, () => {
        this.timeouts++;
        process.kill('timeout');
        resolve(undefined);
      });
      work(service).then(
        (value) => {
          cancel();
          resolve(value);
        },
        () => {
          cancel();
          this.failures++;
          resolve(undefined);
        },
      );
    });
  }

  #newEnvironment(): Environment {
    let isAlive = true;
    const process: Process = {
      name: 'process',
      get isAlive() {
        return isAlive;
      },
      now: () => this.#scheduler.now,
      kill: () => {
        isAlive = false;
      },
      onEnd: () => undefined,
    };
    return { process, service: this.#serviceOf(process) };
  }
}
