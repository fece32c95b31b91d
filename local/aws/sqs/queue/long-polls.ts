import type { ReceivedMessage, ReceiveOptions } from './message.ts';

export interface LongPollsOptions {
  now: () => number;
  /** Takes messages that are visible now on one of the servers. */
  take: (options: ReceiveOptions) => ReceivedMessage[];
  /** When the next message becomes visible, in milliseconds since 1970. `undefined` if none will. */
  nextDueAt: () => number | undefined;
}

interface Waiter extends ReceiveOptions {
  finish: (messages: ReceivedMessage[]) => void;
}

// The clock may jump (a laptop slept, a test moved it), so a wait for a delayed message checks it this often.
const clockCheckMs = 250;

/** Consumers that wait for messages. The first to come is served first. */
export class LongPolls {
  readonly #options: LongPollsOptions;
  readonly #waiters = new Set<Waiter>();
  #wakeScheduled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LongPollsOptions) {
    this.#options = options;
  }

  /** Waits for the first message. Returns none when the time is over, the signal aborts or the waits are ended. */
  wait(options: ReceiveOptions): Promise<ReceivedMessage[]> {
    const { promise, resolve } = Promise.withResolvers<ReceivedMessage[]>();
    const finish = (messages: ReceivedMessage[]) => {
      clearTimeout(timeout);
      options.signal?.removeEventListener('abort', abandon);
      this.#waiters.delete(waiter);
      resolve(messages);
    };
    const abandon = () => finish([]);
    const waiter: Waiter = { ...options, finish };
    const timeout = setTimeout(abandon, options.waitSeconds * 1000);
    options.signal?.addEventListener('abort', abandon);
    this.#waiters.add(waiter);
    this.#armTimer();
    return promise;
  }

  /** A message became visible, or will. Waits a microtask, so that a waiter gets all that a server has of a batch. */
  wakeSoon(): void {
    if (this.#wakeScheduled || this.#waiters.size === 0) return;
    this.#wakeScheduled = true;
    queueMicrotask(() => {
      this.#wakeScheduled = false;
      this.#wake();
    });
  }

  endAll(): void {
    clearTimeout(this.#timer);
    for (const waiter of this.#waiters) waiter.finish([]);
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      const messages = this.#options.take(waiter);
      if (messages.length === 0) break;
      waiter.finish(messages);
    }
    this.#armTimer();
  }

  #armTimer(): void {
    clearTimeout(this.#timer);
    const dueAt = this.#options.nextDueAt();
    if (dueAt === undefined || this.#waiters.size === 0) return;
    const delay = Math.min(Math.max(dueAt - this.#options.now(), 1), clockCheckMs);
    this.#timer = setTimeout(() => this.#wake(), delay).unref();
  }
}
