import { type Due, DueHeap } from '#local/aws/sqs/due-heap.ts';
import { FairLine } from '#local/aws/sqs/fair-line.ts';

export interface QueuedMessage extends Due {
  id: string;
  body: string;
  group: string;
}

/** As the stack sets it up. */
const visibilityMs = 180_000;

export interface FairQueueOptions {
  now: () => number;
  after: (ms: number, run: () => void) => void;
  /** A message has become visible. */
  onVisible: () => void;
}

/** A standard queue for millions of messages, in which groups take turns. It loses and repeats none. */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #messages = new Map<string, QueuedMessage>();
  readonly #hidden = new DueHeap<QueuedMessage>();
  readonly #inFlight = new Set<string>();
  readonly #visible = new FairLine<QueuedMessage>();
  #count = 0;
  #visibleCount = 0;
  /** The most messages that were visible, and that were delayed, at any time. */
  mostVisible = 0;
  mostDelayed = 0;
  sent = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Every message that has not been deleted. */
  messages(): Iterable<QueuedMessage> {
    return this.#messages.values();
  }

  get visible(): number {
    return this.#visibleCount;
  }

  send(body: string, delaySeconds: number, group: string): void {
    this.sent++;
    const message = { id: `m${++this.#count}`, body, group, dueAt: this.#options.now(), heapIndex: -1 };
    this.#messages.set(message.id, message);
    if (delaySeconds > 0) this.#hide(message, delaySeconds * 1000);
    else this.#show(message);
    const delayed = this.#messages.size - this.#visibleCount - this.#inFlight.size;
    this.mostDelayed = Math.max(this.mostDelayed, delayed);
  }

  /** Up to `most` visible messages, which are hidden from now on. */
  receive(most: number): QueuedMessage[] {
    const received: QueuedMessage[] = [];
    while (received.length < most) {
      const message = this.#visible.shift();
      if (!message) break;
      this.#visibleCount--;
      this.#inFlight.add(message.id);
      this.#hide(message, visibilityMs);
      received.push(message);
    }
    return received;
  }

  /** Deletes a message that was received. */
  delete(message: QueuedMessage): void {
    if (!this.#inFlight.delete(message.id)) return;
    this.#hidden.remove(message);
    this.#messages.delete(message.id);
  }

  #hide(message: QueuedMessage, ms: number): void {
    message.dueAt = this.#options.now() + ms;
    this.#hidden.add(message);
    // A timer for each message in flight would be too many: most are deleted long before it.
    if (!this.#inFlight.has(message.id)) this.#options.after(ms, () => this.update());
  }

  /** Shows what is due; called for each delayed message, and from outside now and then for those in flight. */
  update(): void {
    for (let first = this.#hidden.first; first && first.dueAt <= this.#options.now(); first = this.#hidden.first) {
      this.#hidden.remove(first);
      this.#inFlight.delete(first.id);
      this.#show(first);
    }
  }

  #show(message: QueuedMessage): void {
    this.#visible.push(message.group, message);
    this.#visibleCount++;
    this.mostVisible = Math.max(this.mostVisible, this.#visibleCount);
    this.#options.onVisible();
  }
}
