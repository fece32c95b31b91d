import { randomUUID } from 'node:crypto';
import type { Message } from './queue/message.ts';
import type { Queue } from './queue/queue.ts';
import { invalidParameterValue, queueDoesNotExist } from './sqs-errors.ts';

export interface MoveTask {
  handle: string;
  sourceArn: string;
  /** Absent if every message goes back to its source queue. */
  destinationArn: string | undefined;
  messagesPerSecond: number | undefined;
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  toMove: number;
  moved: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  failureReason?: string;
}

export interface MoveTaskStart {
  source: Queue;
  destination: Queue | undefined;
  messagesPerSecond: number | undefined;
}

const maxPerSecond = 500;
const keptPerQueue = 10;

/** Moves the messages of dead-letter queues back, at the rate SQS does: up to 500 a second. */
export class MoveTasks {
  readonly #tasks = new Map<string, MoveTask[]>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #now: () => number;
  readonly #findQueue: (arn: string) => Queue | undefined;

  constructor(now: () => number, findQueue: (arn: string) => Queue | undefined) {
    this.#now = now;
    this.#findQueue = findQueue;
  }

  /** Throws `AwsError` `InvalidParameterValue` if a task is already running for the queue. */
  start({ source, destination, messagesPerSecond }: MoveTaskStart): MoveTask {
    const earlier = this.of(source);
    if (earlier.some(({ status }) => status === 'RUNNING')) {
      throw invalidParameterValue(
        'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
      );
    }
    const task: MoveTask = {
      handle: randomUUID(),
      sourceArn: source.arn,
      destinationArn: destination?.arn,
      messagesPerSecond,
      status: 'RUNNING',
      toMove: source.counts().visible,
      moved: 0,
      startedAt: this.#now(),
    };
    this.#tasks.set(source.arn, [task, ...earlier].slice(0, keptPerQueue));
    this.#proceed(task);
    return task;
  }

  /** The queue's latest tasks, newest first. */
  of(source: Queue): MoveTask[] {
    return this.#tasks.get(source.arn) ?? [];
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Moves one second's share now, and another each second while messages are left. */
  #proceed(task: MoveTask): void {
    this.#moveShare(task);
    if (task.status !== 'RUNNING') return;
    const timer = setInterval(() => {
      this.#moveShare(task);
      if (task.status === 'RUNNING') return;
      clearInterval(timer);
      this.#timers.delete(timer);
    }, 1000).unref();
    this.#timers.add(timer);
  }

  #moveShare(task: MoveTask): void {
    try {
      const source = this.#demand(task.sourceArn);
      const destination = task.destinationArn === undefined ? undefined : this.#demand(task.destinationArn);
      const route = (message: Message) => destination ?? this.#demand(message.deadLetterSource ?? '');
      const share = Math.min(task.messagesPerSecond ?? maxPerSecond, task.toMove - task.moved);
      for (let left = share; left > 0 && source.moveOne(route); left -= 1) task.moved += 1;
      if (task.moved >= task.toMove || source.counts().visible === 0) task.status = 'COMPLETED';
    } catch (error) {
      task.status = 'FAILED';
      task.failureReason = error instanceof Error ? error.message : String(error);
    }
  }

  #demand(arn: string): Queue {
    const queue = this.#findQueue(arn);
    if (queue === undefined) throw queueDoesNotExist();
    return queue;
  }
}
