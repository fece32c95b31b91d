import type { Attempt, PostRequest } from '#shared/egress/post.ts';
import type { Random } from './random.ts';

/** How a receiver behaves. */
export type Behaviour =
  | { is: 'well' }
  /** Receives correctly, but takes its time: milliseconds. */
  | { is: 'slow'; ms: number }
  /** Receives but never responds. */
  | { is: 'hanging' }
  /** Takes no connection. */
  | { is: 'down' }
  | { is: 'failing'; status: number; retryAfterSeconds?: number }
  /** Fails requests at random, with this probability. */
  | { is: 'flaky'; failing: number };

/** What a receiver does with one request. */
export interface Reaction {
  /** Whether it has the notification now, as far as it knows. */
  accepts: boolean;
  attempt: Attempt;
}

/** The receivers of the simulation, by URL. Each responds with 200 until a scenario changes that. */
export class Receivers {
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #random: Random;
  /** Whether a notification is one that its receiver can never digest. */
  isPoison: (id: string) => boolean = () => false;

  constructor(random: Random) {
    this.#random = random;
  }

  set(url: string, behaviour: Behaviour): void {
    this.#behaviours.set(url, behaviour);
  }

  healAll(): void {
    this.#behaviours.clear();
    this.isPoison = () => false;
  }

  react({ url, headers, timeoutMs }: PostRequest): Reaction {
    if (this.isPoison(String(headers['webhook-id']))) return rejected(500, 30);
    const behaviour = this.#behaviours.get(url) ?? { is: 'well' };
    switch (behaviour.is) {
      case 'well':
        return accepted(this.#random.between(5, 200));
      case 'slow':
        return behaviour.ms < timeoutMs ? accepted(behaviour.ms) : silent(timeoutMs, true);
      case 'hanging':
        return silent(timeoutMs, false);
      case 'down':
        return { accepts: false, attempt: { outcome: 'failed', durationMs: 3, error: 'refused' } };
      case 'failing':
        return rejected(behaviour.status, this.#random.between(5, 100), behaviour.retryAfterSeconds);
      case 'flaky':
        return this.#random.chance(behaviour.failing) ? rejected(503, 20) : accepted(20);
    }
  }
}

function accepted(durationMs: number): Reaction {
  return { accepts: true, attempt: response(200, durationMs) };
}

function rejected(status: number, durationMs: number, retryAfterSeconds?: number): Reaction {
  const asked = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { accepts: false, attempt: { ...response(status, durationMs), ...asked } };
}

function silent(timeoutMs: number, accepts: boolean): Reaction {
  return { accepts, attempt: { outcome: 'failed', durationMs: timeoutMs, error: 'timeout' } };
}

function response(status: number, durationMs: number): Attempt {
  return { outcome: 'responded', durationMs, status, body: Buffer.alloc(0), truncated: false };
}
