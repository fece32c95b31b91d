import { type Due, DueHeap } from '#local/aws/sqs/queue/due-heap.ts';
import { NoisyGroups } from '#local/aws/sqs/queue/noisy-groups.ts';
import { Servers } from '#local/aws/sqs/servers.ts';

export interface QueuedMessage extends Due {
  id: string;
  body: string;
  groupId: string;
}

/** As the stack sets it up. */
const visibilityMs = 180_000;

export interface FairQueueOptions {
  now: () => number;
  after: (ms: number, run: () => void) => void;
  random: () => number;
  /** How many servers share the messages. */
  servers: number;
  /** A message has become visible. */
  onVisible: () => void;
}

/**
 * A standard queue for millions of messages, with the local queue's servers and fairness. It loses and repeats none.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #messages = new Map<string, QueuedMessage>();
  readonly #hidden = new DueHeap<QueuedMessage>();
  readonly #inFlight = new Set<string>();
  readonly #noisyGroups: NoisyGroups;
  readonly #visible: Servers<QueuedMessage>;
  #count = 0;
  #visibleCount = 0;
  /** The most messages that were visible, and that were delayed, at any time. */
  maxVisible = 0;
  maxDelayed = 0;
  sent = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    const noisyGroups = new NoisyGroups(options.now);
    this.#noisyGroups = noisyGroups;
    this.#visible = new Servers({ ...options, noisyGroups });
  }

  /** Every message that has not been deleted. */
  messages(): Iterable<QueuedMessage> {
    return this.#messages.values();
  }

  get visible(): number {
    return this.#visibleCount;
  }

  send(body: string, delaySeconds: number, groupId: string): void {
    this.sent++;
    const message = { id: `m${++this.#count}`, body, groupId, dueAt: this.#options.now(), heapIndex: -1 };
    this.#messages.set(message.id, message);
    if (delaySeconds > 0) this.#hide(message, delaySeconds * 1000);
    else this.#show(message);
    const delayed = this.#messages.size - this.#visibleCount - this.#inFlight.size;
    this.maxDelayed = Math.max(this.maxDelayed, delayed);
  }

  /** What a long poll gets when it begins: up to `maxMessages` visible messages, which are hidden from now on. */
  receive(maxMessages: number): QueuedMessage[] {
    return this.#take(maxMessages, this.#visible.allServers());
  }

  /** What a long poll gets that waited: the messages of one server. */
  receiveFromOneHost(maxMessages: number): QueuedMessage[] {
    for (const next of this.#visible.eachServer()) {
      const received = this.#take(maxMessages, next);
      if (received.length > 0) return received;
    }
    return [];
  }

  #take(maxMessages: number, next: () => QueuedMessage | undefined): QueuedMessage[] {
    const received: QueuedMessage[] = [];
    while (received.length < maxMessages) {
      const message = next();
      if (!message) break;
      this.#visibleCount--;
      this.#noisyGroups.leave(message.groupId, 'visible');
      this.#inFlight.add(message.id);
      this.#noisyGroups.enter(message.groupId, 'inFlight');
      this.#hide(message, visibilityMs);
      received.push(message);
    }
    return received;
  }

  /** Deletes a message that was received. */
  delete(message: QueuedMessage): void {
    if (!this.#inFlight.delete(message.id)) return;
    this.#noisyGroups.leave(message.groupId, 'inFlight');
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
      if (this.#inFlight.delete(first.id)) this.#noisyGroups.leave(first.groupId, 'inFlight');
      this.#show(first);
    }
  }

  #show(message: QueuedMessage): void {
    this.#visible.add(message);
    this.#noisyGroups.enter(message.groupId, 'visible');
    this.#visibleCount++;
    this.maxVisible = Math.max(this.maxVisible, this.#visibleCount);
    this.#options.onVisible();
  }
}
