import { createHash, randomUUID } from 'node:crypto';
import { AwsError } from '../../base/aws-error.ts';
import { JournaledMap } from '../../base/journal.ts';
import { type QueueAttributes, type QueueSettings, readQueueAttributes } from '../queue-attributes.ts';
import { type Due, DueHeap } from './due-heap.ts';
import { FairQueue, NoisyGroups } from './fair-queue.ts';
import { LongPolls } from './long-polls.ts';
import type { Message, MessageSource, ReceivedMessage, ReceiveOptions } from './message.ts';

export interface NewMessage {
  body: string;
  /** Without it, the queue's own applies. */
  delaySeconds?: number | undefined;
  /** For fair queues. */
  groupId?: string | undefined;
}

export interface QueueOptions {
  name: string;
  arn: string;
  attributes: QueueAttributes;
  now: () => number;
  /** The file that keeps the messages. Without it, they are kept in memory only. */
  file?: string | undefined;
  /** Finds the dead-letter queue. */
  findQueue: (arn: string) => Queue | undefined;
  /** How many servers share the messages. */
  servers?: number | undefined;
  /** Draws the server of a message, and the first one that a receive asks. */
  random?: (() => number) | undefined;
}

/** AWS does not publish it. Three is an assumption, one for each zone of a usual region. */
const assumedServers = 3;

type State = 'delayed' | 'visible' | 'inFlight' | 'gone';
interface Entry extends Due {
  message: Message;
  groupId: string | undefined;
  state: State;
}

export const queueDoesNotExist = (): AwsError =>
  new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/**
 * A standard queue: it delivers at least once and in no strict order. A group with more than its share in flight comes
 * after the others.
 *
 * Each message is on one of several servers, at random. A receive asks all of them, so it gets full batches from a deep
 * queue. A long poll that waited gets what the first server has that gets a message. So what is sent together reaches
 * several polls that wait, as on AWS.
 */
export class Queue implements MessageSource {
  readonly name: string;
  readonly arn: string;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #findQueue: (arn: string) => Queue | undefined;
  /** What was accepted and not deleted. */
  readonly #kept: JournaledMap<Message> | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #hidden = new DueHeap<Entry>();
  readonly #longPolls: LongPolls;
  readonly #counts: Record<State, number> = { delayed: 0, visible: 0, inFlight: 0, gone: 0 };
  readonly #noisyGroups = new NoisyGroups();
  readonly #servers: readonly FairQueue<Entry>[];
  #settings: QueueSettings;
  #stopped = false;

  constructor({ servers = assumedServers, random = Math.random, ...options }: QueueOptions) {
    this.name = options.name;
    this.arn = options.arn;
    this.#now = options.now;
    this.#random = random;
    this.#findQueue = options.findQueue;
    this.#settings = readQueueAttributes(options.attributes);
    this.#servers = Array.from({ length: servers }, () => new FairQueue<Entry>(this.#noisyGroups));
    this.#longPolls = new LongPolls({
      now: options.now,
      take: (request) => this.#takeFromOneServer(request),
      nextDueAt: () => this.#hidden.first?.dueAt,
    });
    if (options.file !== undefined) {
      this.#kept = new JournaledMap(options.file);
      for (const message of this.#kept.values()) this.#enter(message);
    }
  }

  get settings(): QueueSettings {
    return this.#settings;
  }

  /** Sets all attributes. Absent ones get SQS's default. */
  configure(attributes: QueueAttributes): void {
    this.#settings = readQueueAttributes(attributes);
  }

  /** How many messages are visible, delayed and in flight. */
  counts(): { visible: number; delayed: number; inFlight: number } {
    this.#update();
    const { visible, delayed, inFlight } = this.#counts;
    return { visible, delayed, inFlight };
  }

  /** Returns the message's id. */
  send({ body, groupId, delaySeconds = this.#settings.delaySeconds }: NewMessage): string {
    const messageId = randomUUID();
    const sentAt = this.#now();
    this.#accept({ messageId, body, groupId, sentAt, dueAt: sentAt + delaySeconds * 1000, receiveCount: 0 });
    return messageId;
  }

  /**
   * Takes up to `maxMessages` visible messages and hides them. Waits up to `waitSeconds` for the first. Throws `AwsError`
   * `QueueDoesNotExist` after `stop`.
   */
  async receive(options: ReceiveOptions): Promise<ReceivedMessage[]> {
    if (this.#stopped) throw queueDoesNotExist();
    if (options.signal?.aborted) return [];
    const messages = this.#take(options, this.#inTurn());
    return messages.length > 0 || options.waitSeconds === 0 ? messages : this.#longPolls.wait(options);
  }

  /** Deletes the message if the handle belongs to its last receive. Throws `AwsError` `ReceiptHandleIsInvalid`. */
  delete(receiptHandle: string): void {
    const [arn, messageId = '', receiveCount] = Buffer.from(receiptHandle, 'base64').toString().split(' ');
    if (arn !== this.arn || !/^\d+$/.test(receiveCount ?? '')) {
      throw new AwsError('ReceiptHandleIsInvalid', `"${receiptHandle}" is not a receipt handle of this queue.`);
    }
    const entry = this.#entries.get(messageId);
    if (entry?.message.receiveCount === Number(receiveCount)) this.#remove(entry);
  }

  /**
   * Moves the visible messages to the queues that `route` names, as new messages. Returns how many. If `route` throws,
   * the message and all that follow stay.
   */
  moveAll(route: (message: Message) => Queue): number {
    this.#update();
    let moved = 0;
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'visible') continue;
      const { body, groupId } = entry.message;
      route(entry.message).send({ body, groupId, delaySeconds: 0 });
      this.#remove(entry);
      moved += 1;
    }
    return moved;
  }

  purge(): void {
    for (const entry of this.#entries.values()) this.#remove(entry);
  }

  /** Ends every wait and hands out no more messages. Those in flight can still be deleted. */
  stop(): void {
    this.#stopped = true;
    this.#longPolls.endAll();
  }

  close(): void {
    this.stop();
    this.#kept?.close();
  }

  /** Accepts a message from a client or from another queue. */
  #accept(message: Message): void {
    this.#kept?.set(message.messageId, message);
    this.#enter(message);
  }

  #enter(message: Message): void {
    const { groupId, dueAt } = message;
    const entry: Entry = { message, groupId, state: 'gone', dueAt, heapIndex: -1 };
    this.#entries.set(message.messageId, entry);
    if (dueAt > this.#now()) this.#hide(entry, 'delayed', dueAt);
    else this.#show(entry);
  }

  #hide(entry: Entry, state: 'delayed' | 'inFlight', dueAt: number): void {
    this.#turn(entry, state);
    entry.dueAt = dueAt;
    this.#hidden.add(entry);
    this.#longPolls.wakeSoon();
  }

  #show(entry: Entry): void {
    this.#turn(entry, 'visible');
    this.#inTurn()[0]?.add(entry);
    this.#longPolls.wakeSoon();
  }

  #turn(entry: Entry, state: State): void {
    this.#counts[entry.state] -= 1;
    this.#counts[state] += 1;
    const { groupId } = entry;
    if (entry.state === 'visible' || entry.state === 'inFlight') this.#noisyGroups.count(groupId, entry.state, -1);
    if (state === 'visible' || state === 'inFlight') this.#noisyGroups.count(groupId, state, 1);
    entry.state = state;
  }

  /** A visible entry stays on its server. A receive skips entries that are gone. */
  #remove(entry: Entry): void {
    this.#kept?.delete(entry.message.messageId);
    if (entry.state === 'delayed' || entry.state === 'inFlight') this.#hidden.remove(entry);
    this.#turn(entry, 'gone');
    this.#entries.delete(entry.message.messageId);
  }

  /** Messages that are due become visible. */
  #update(): void {
    const now = this.#now();
    for (let entry = this.#hidden.first; entry && entry.dueAt <= now; entry = this.#hidden.first) {
      this.#hidden.remove(entry);
      this.#show(entry);
    }
  }

  /** The servers, beginning with a random one. */
  #inTurn(): FairQueue<Entry>[] {
    const first = Math.floor(this.#random() * this.#servers.length);
    return [...this.#servers.slice(first), ...this.#servers.slice(0, first)];
  }

  #takeFromOneServer(options: ReceiveOptions): ReceivedMessage[] {
    for (const server of this.#inTurn()) {
      const messages = this.#take(options, [server]);
      if (messages.length > 0) return messages;
    }
    return [];
  }

  #take(options: ReceiveOptions, servers: readonly FairQueue<Entry>[]): ReceivedMessage[] {
    const now = this.#now();
    const seconds = options.visibilityTimeoutSeconds ?? this.#settings.visibilityTimeoutSeconds;
    return this.#shiftVisible(options.maxMessages, servers).map((entry) => {
      const { message } = entry;
      message.receiveCount += 1;
      message.firstReceivedAt ??= now;
      this.#kept?.set(message.messageId, message);
      this.#hide(entry, 'inFlight', now + seconds * 1000);
      return this.#toReceived(message);
    });
  }

  /** Takes visible messages, those of noisy groups last. Those received too often go to the dead-letter queue. */
  #shiftVisible(maxMessages: number, servers: readonly FairQueue<Entry>[]): Entry[] {
    this.#update();
    const shifted: Entry[] = [];
    const takes = [...servers.map((one) => () => one.takeQuiet()), ...servers.map((one) => () => one.takeNoisy())];
    for (const take of takes) {
      while (shifted.length < maxMessages) {
        const entry = take();
        if (entry === undefined) break;
        if (entry.state === 'visible' && !this.#dropIfDue(entry)) shifted.push(entry);
      }
    }
    return shifted;
  }

  /** Removes a message that has expired, or moves it if it was received as often as allowed. Returns whether it did. */
  #dropIfDue(entry: Entry): boolean {
    const { message } = entry;
    const { redrivePolicy: policy, retentionSeconds } = this.#settings;
    if (this.#now() - message.sentAt < retentionSeconds * 1000) {
      if (policy === undefined || message.receiveCount < policy.maxReceiveCount) return false;
      const deadLetterQueue = this.#findQueue(policy.deadLetterTargetArn);
      if (deadLetterQueue === undefined) return false;
      const { firstReceivedAt: _, ...others } = message;
      deadLetterQueue.#accept({ ...others, receiveCount: 0, dueAt: this.#now(), deadLetterSource: this.arn });
    }
    this.#remove(entry);
    return true;
  }

  #toReceived({ messageId, body, receiveCount, ...message }: Message): ReceivedMessage {
    return {
      ...{ messageId, body, md5OfBody: md5(body) },
      receiptHandle: Buffer.from(`${this.arn} ${messageId} ${receiveCount}`).toString('base64'),
      attributes: {
        SentTimestamp: String(message.sentAt),
        ApproximateReceiveCount: String(receiveCount),
        ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
        ...(message.groupId !== undefined && { MessageGroupId: message.groupId }),
        ...(message.deadLetterSource !== undefined && { DeadLetterQueueSourceArn: message.deadLetterSource }),
      },
    };
  }
}
