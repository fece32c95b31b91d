import { type Due, DueHeap } from '#local/aws/sqs/queue/due-heap.ts';

interface Planned extends Due {
  run: () => void;
}

/** Ends a run that would never end. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/**
 * A virtual clock and what is planned on it. Nothing else moves the time: what is awaited in the simulation is resolved
 * by a plan, and all that follows from it in the program has been done before the next plan is carried out.
 */
export class Scheduler {
  now: number;
  steps = 0;
  readonly #plans = new DueHeap<Planned>();
  readonly #maxSteps: number;
  readonly #check: () => void;

  /** `check` is called after each step and ends the run by throwing. */
  constructor(now: number, maxSteps: number, check: () => void = () => undefined) {
    this.now = now;
    this.#maxSteps = maxSteps;
    this.#check = check;
  }

  /** Runs `run` after `ms` milliseconds; gives a function that cancels it. */
  after(ms: number, run: () => void): () => void {
    const plan: Planned = { dueAt: this.now + Math.max(0, Math.round(ms)), heapIndex: 0, run };
    this.#plans.add(plan);
    return () => {
      if (plan.heapIndex < 0) return;
      this.#plans.remove(plan);
      plan.heapIndex = -1;
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Carries plans out until `until` settles. */
  async run<T>(until: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    until.then(over, over);
    await idle();
    while (!isOver) await this.#step();
    return until;
  }

  async #step(): Promise<void> {
    const next = this.#plans.first;
    if (!next) throw new Error('The simulation waits for something that is not planned');
    if (++this.steps > this.#maxSteps) throw new TooManySteps(`More than ${this.#maxSteps} steps`);
    this.#plans.remove(next);
    next.heapIndex = -1;
    this.now = Math.max(this.now, next.dueAt);
    next.run();
    await idle();
    this.#check();
  }
}

/** Resolves when everything in progress in the program waits for something. */
const idle = () => new Promise((resolve) => setImmediate(resolve));
