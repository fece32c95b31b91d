import { randomUUID } from 'node:crypto';
import { AwsError } from '../../base/aws-error.ts';
import { maxInFlight } from '../limits.ts';
import { type QueueAttributes, type QueueSettings, readQueueAttributes } from '../queue-attributes.ts';
import { Servers } from '../servers.ts';
import { queueDoesNotExist } from '../sqs-errors.ts';
import { type Due, DueHeap } from './due-heap.ts';
import { LongPolls } from './long-polls.ts';
import {
  type Message,
  type MessageAttribute,
  type MessageSource,
  md5,
  type ReceivedMessage,
  type ReceiveOptions,
  systemAttributes,
} from './message.ts';
import { countReceive, type MessageLog, openMessageLog } from './message-log.ts';
import { NoisyGroups } from './noisy-groups.ts';
import { formatReceiptHandle, parseReceiptHandle } from './receipt-handle.ts';

export interface NewMessage {
  body: string;
  messageAttributes?: Record<string, MessageAttribute>;
  /** Without it, the queue's own applies. */
  delaySeconds?: number | undefined;
  /** The tenant, for fair queues. */
  groupId?: string | undefined;
  senderId?: string;
  traceHeader?: string | undefined;
}

export interface QueueOptions {
  name: string;
  arn: string;
  attributes: QueueAttributes;
  now: () => number;
  /** The file that keeps the messages. Without it, they are kept in memory only. */
  logFile?: string | undefined;
  /** Finds the dead-letter queue. */
  findQueue: (arn: string) => Queue | undefined;
  /** How many servers share the messages. Without it, as many as `Servers` assumes. */
  servers?: number | undefined;
  /** Draws what SQS leaves open: the server of a message, and the servers that a receive reaches. */
  random?: (() => number) | undefined;
}

type State = 'delayed' | 'visible' | 'inFlight' | 'gone';
interface Entry extends Due {
  message: Message;
  groupId: string | undefined;
  state: State;
}

const retentionSweepMs = 60_000;

/**
 * A standard queue: it delivers at least once and in no strict order. Its messages are spread over several servers, and
 * a group with more than its share in flight comes after the others.
 */
export class Queue implements MessageSource {
  readonly name: string;
  readonly arn: string;
  readonly #now: () => number;
  readonly #findQueue: (arn: string) => Queue | undefined;
  readonly #log: MessageLog | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #hidden = new DueHeap<Entry>();
  readonly #longPolls: LongPolls;
  readonly #counts: Record<State, number> = { delayed: 0, visible: 0, inFlight: 0, gone: 0 };
  readonly #noisyGroups: NoisyGroups;
  readonly #newServers: () => Servers<Entry>;
  #visible: Servers<Entry>;
  #settings: QueueSettings;
  #nextRetentionSweep = 0;
  #stopped = false;

  constructor(options: QueueOptions) {
    this.name = options.name;
    this.arn = options.arn;
    this.#now = options.now;
    this.#findQueue = options.findQueue;
    this.#settings = readQueueAttributes(options.attributes);
    const { servers, random = Math.random } = options;
    const noisyGroups = new NoisyGroups(options.now);
    this.#noisyGroups = noisyGroups;
    this.#newServers = () => new Servers({ servers, random, noisyGroups });
    this.#visible = this.#newServers();
    this.#longPolls = new LongPolls({
      now: options.now,
      take: (request) => this.#takeFromOneHost(request),
      nextDueAt: () => this.#hidden.first?.dueAt,
    });
    if (options.logFile !== undefined) {
      this.#log = openMessageLog(options.logFile, (message) => this.#enter(message), {
        count: () => this.#entries.size,
        messages: () => this.#messages(),
      });
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

  send(message: NewMessage): { messageId: string; md5OfBody: string } {
    const sentAt = this.#now();
    const { groupId, traceHeader } = message;
    const stored: Message = {
      messageId: randomUUID(),
      body: message.body,
      md5OfBody: md5(message.body),
      messageAttributes: message.messageAttributes ?? {},
      senderId: message.senderId ?? '',
      ...(groupId !== undefined && { groupId }),
      ...(traceHeader !== undefined && { traceHeader }),
      sentAt,
      dueAt: sentAt + (message.delaySeconds ?? this.#settings.delaySeconds) * 1000,
      receiveCount: 0,
    };
    this.#accept(stored);
    return { messageId: stored.messageId, md5OfBody: stored.md5OfBody };
  }

  /**
   * Takes up to `maxMessages` visible messages and hides them. Waits up to `waitSeconds` for the first.
   * Throws `AwsError` `OverLimit` if too many are in flight and there is no wait, `QueueDoesNotExist` after `stop`.
   */
  async receive(options: ReceiveOptions): Promise<ReceivedMessage[]> {
    if (this.#stopped) throw queueDoesNotExist();
    if (options.signal?.aborted) return [];
    const isLong = options.waitSeconds > 0;
    const messages = this.#take(options, isLong ? this.#visible.allServers() : this.#visible.someServers());
    if (messages.length > 0) return messages;
    if (isLong) return this.#longPolls.wait(options);
    if (this.#counts.inFlight >= maxInFlight) {
      throw new AwsError('OverLimit', `Too many messages in flight: the limit is ${maxInFlight}.`, 403);
    }
    return [];
  }

  /** Deletes the message if the handle belongs to its last receive. Throws `AwsError` `ReceiptHandleIsInvalid`. */
  delete(receiptHandle: string): void {
    const entry = this.#entryOf(receiptHandle);
    if (entry) this.#remove(entry);
  }

  /**
   * Moves one visible message to the queue that `route` names, as a new message. Returns false if there is none.
   * If `route` throws, the message stays.
   */
  moveOne(route: (message: Message) => Queue): boolean {
    const [entry] = this.#shiftVisible(1, this.#visible.allServers());
    if (entry === undefined) return false;
    try {
      const { body, messageAttributes, groupId, senderId, traceHeader } = entry.message;
      route(entry.message).send({ body, messageAttributes, groupId, senderId, traceHeader, delaySeconds: 0 });
    } catch (error) {
      this.#show(entry);
      throw error;
    }
    this.#remove(entry);
    return true;
  }

  purge(): void {
    this.#log?.purged();
    for (const entry of this.#entries.values()) this.#forget(entry);
    this.#visible = this.#newServers();
  }

  /** Ends every wait and hands out no more messages. Those in flight can still be deleted. */
  stop(): void {
    this.#stopped = true;
    this.#longPolls.endAll();
  }

  close(): void {
    this.stop();
    this.#log?.close();
  }

  /** Closes the queue and removes its messages from disk. */
  destroy(): void {
    this.stop();
    this.#log?.destroy();
  }

  /** Accepts a message from a client or from another queue. */
  #accept(message: Message): void {
    this.#log?.sent(message);
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
    this.#visible.add(entry);
    this.#longPolls.wakeSoon();
  }

  #turn(entry: Entry, state: State): void {
    this.#counts[entry.state] -= 1;
    this.#counts[state] += 1;
    if (entry.state === 'visible' || entry.state === 'inFlight') this.#noisyGroups.leave(entry.groupId, entry.state);
    if (state === 'visible' || state === 'inFlight') this.#noisyGroups.enter(entry.groupId, state);
    entry.state = state;
  }

  #remove(entry: Entry): void {
    this.#log?.deleted(entry.message.messageId);
    this.#forget(entry);
  }

  /** A visible entry stays on its server. A receive skips entries that are gone. */
  #forget(entry: Entry): void {
    if (entry.state === 'delayed' || entry.state === 'inFlight') this.#hidden.remove(entry);
    this.#turn(entry, 'gone');
    this.#entries.delete(entry.message.messageId);
  }

  /** Brings the queue up to date: messages that are due become visible, expired ones are removed. */
  #update(): void {
    const now = this.#now();
    for (let entry = this.#hidden.first; entry && entry.dueAt <= now; entry = this.#hidden.first) {
      this.#hidden.remove(entry);
      this.#show(entry);
    }
    if (now < this.#nextRetentionSweep) return;
    this.#nextRetentionSweep = now + retentionSweepMs;
    for (const entry of this.#entries.values()) if (this.#isExpired(entry, now)) this.#remove(entry);
  }

  #isExpired(entry: Entry, now: number): boolean {
    return now - entry.message.sentAt >= this.#settings.retentionSeconds * 1000;
  }

  #takeFromOneHost(options: ReceiveOptions): ReceivedMessage[] {
    for (const next of this.#visible.eachServer()) {
      const messages = this.#take(options, next);
      if (messages.length > 0) return messages;
    }
    return [];
  }

  #take(options: ReceiveOptions, next: () => Entry | undefined): ReceivedMessage[] {
    const taken = this.#shiftVisible(Math.min(options.maxMessages, maxInFlight - this.#counts.inFlight), next);
    if (taken.length === 0) return [];
    const now = this.#now();
    const dueAt = now + (options.visibilityTimeoutSeconds ?? this.#settings.visibilityTimeoutSeconds) * 1000;
    const messageIds = taken.map(({ message }) => message.messageId);
    this.#log?.received(messageIds, now);
    return taken.map((entry) => {
      countReceive(entry.message, now);
      this.#hide(entry, 'inFlight', dueAt);
      return this.#toReceived(entry.message);
    });
  }

  /** Takes visible messages from the servers. Those received too often go to the dead-letter queue. */
  #shiftVisible(maxMessages: number, next: () => Entry | undefined): Entry[] {
    this.#update();
    const now = this.#now();
    const shifted: Entry[] = [];
    while (shifted.length < maxMessages) {
      const entry = next();
      if (entry === undefined) break;
      if (entry.state !== 'visible') continue;
      if (this.#isExpired(entry, now)) this.#remove(entry);
      else if (!this.#redrive(entry)) shifted.push(entry);
    }
    return shifted;
  }

  /** Moves a message that was received as often as the redrive policy allows. Returns whether it did. */
  #redrive(entry: Entry): boolean {
    const policy = this.#settings.redrivePolicy;
    if (policy === undefined || entry.message.receiveCount < policy.maxReceiveCount) return false;
    const deadLetterQueue = this.#findQueue(policy.deadLetterTargetArn);
    if (deadLetterQueue === undefined) return false;
    const { firstReceivedAt: _, ...message } = entry.message;
    deadLetterQueue.#accept({ ...message, receiveCount: 0, dueAt: this.#now(), deadLetterSource: this.arn });
    this.#remove(entry);
    return true;
  }

  #toReceived(message: Message): ReceivedMessage {
    return {
      messageId: message.messageId,
      receiptHandle: formatReceiptHandle(this.arn, message.messageId, message.receiveCount),
      body: message.body,
      md5OfBody: message.md5OfBody,
      attributes: systemAttributes(message),
      messageAttributes: message.messageAttributes,
    };
  }

  /** The message whose last receive has this handle, if it still exists. */
  #entryOf(receiptHandle: string): Entry | undefined {
    const { messageId, receiveCount } = parseReceiptHandle(this.arn, receiptHandle);
    const entry = this.#entries.get(messageId);
    return entry?.message.receiveCount === receiveCount ? entry : undefined;
  }

  *#messages(): Generator<Message> {
    for (const { message } of this.#entries.values()) yield message;
  }
}
