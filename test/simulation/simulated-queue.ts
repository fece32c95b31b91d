import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

export interface Message {
  id: string;
  body: string;
  receiveCount: number;
  visibleAt: number;
}

/** As the stack sets it up. */
const visibilityMs = 180_000;

export interface QueueOptions {
  scheduler: Scheduler;
  random: Random;
  /** After this many receives, a message goes to the dead letters. */
  maxReceiveCount: number;
  /** How likely it is that a message is handed out twice. */
  twice: () => number;
  /** Whether a sent message is lost. */
  loses: (body: string, delaySeconds: number) => boolean;
  onVisible: () => void;
}

/** A standard queue: delivers at least once and in no order; what is not deleted becomes visible again. */
export class SimulatedQueue {
  readonly messages = new Map<string, Message>();
  readonly deadLetters: Message[] = [];
  readonly #options: QueueOptions;
  /** How many messages it has ever taken. */
  sent = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  send(body: string, delaySeconds: number): void {
    const { scheduler, loses } = this.#options;
    if (loses(body, delaySeconds)) return;
    const message = {
      id: `message-${++this.sent}`,
      body,
      receiveCount: 0,
      visibleAt: scheduler.now + delaySeconds * 1000,
    };
    this.messages.set(message.id, message);
    this.#announce(message);
  }

  /** Receives up to `maxMessages` visible messages, which are hidden from now on. */
  receive(maxMessages: number): Message[] {
    const { scheduler, random, maxReceiveCount, twice } = this.#options;
    const visible = [...this.messages.values()].filter(({ visibleAt }) => visibleAt <= scheduler.now);
    const received: Message[] = [];
    while (received.length < maxMessages && visible.length > 0) {
      const [message] = visible.splice(random.below(visible.length), 1);
      if (!message) break;
      message.receiveCount++;
      if (message.receiveCount > maxReceiveCount) {
        this.messages.delete(message.id);
        this.deadLetters.push(message);
        continue;
      }
      // At least once: now and then two delivery processes get the message.
      message.visibleAt = scheduler.now + (random.chance(twice()) ? random.between(1, 2_000) : visibilityMs);
      this.#announce(message);
      received.push({ ...message });
    }
    return received;
  }

  delete(id: string): void {
    this.messages.delete(id);
  }

  #announce(message: Message): void {
    const { scheduler, onVisible } = this.#options;
    scheduler.after(message.visibleAt - scheduler.now, () => {
      if (this.messages.has(message.id) && message.visibleAt <= scheduler.now) onVisible();
    });
  }
}
