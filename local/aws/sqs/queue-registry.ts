import { join } from 'node:path';
import { accountId } from '../base/account.ts';
import { AwsError } from '../base/aws-error.ts';
import { JournaledMap } from '../base/journal.ts';
import { secondsToForget } from './limits.ts';
import { Queue } from './queue/queue.ts';
import { type QueueAttributes, readQueueAttributes, withDefaults } from './queue-attributes.ts';
import { invalidParameter, invalidParameterValue, queueDoesNotExist } from './sqs-errors.ts';

/** Times are milliseconds since 1970. */
interface QueueRecord {
  attributes: QueueAttributes;
  createdAt: number;
  modifiedAt: number;
}

export interface RegistryOptions {
  region: string;
  now: () => number;
  dataDir: string | undefined;
  servers: number | undefined;
}

const queueNamePattern = /^[\w-]{1,80}$/;

/** The queues with their attributes. A `dataDir` keeps them on disk. */
export class QueueRegistry {
  readonly #options: RegistryOptions;
  readonly #records: JournaledMap<QueueRecord> | Map<string, QueueRecord>;
  readonly #queues = new Map<string, Queue>();
  readonly #purgedAt = new Map<string, number>();
  readonly #deletedAt = new Map<string, number>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#records = options.dataDir === undefined ? new Map() : new JournaledMap(join(options.dataDir, 'queues.jsonl'));
    for (const [name, { attributes }] of this.#records.entries()) this.#open(name, attributes);
  }

  arn(name: string): string {
    return `arn:aws:sqs:${this.#options.region}:${accountId}:${name}`;
  }

  /** Creates the queue, or sets these attributes on an existing one. Throws `AwsError` for what SQS rejects. */
  put(name: string, attributes: QueueAttributes): Queue {
    if (!queueNamePattern.test(name)) {
      throw invalidParameterValue(
        'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
      );
    }
    const { redrivePolicy } = readQueueAttributes(attributes);
    if (redrivePolicy !== undefined && this.withArn(redrivePolicy.deadLetterTargetArn) === undefined) {
      throw invalidParameter(attributes.RedrivePolicy, 'RedrivePolicy', 'Dead letter target does not exist.');
    }
    const now = this.#options.now();
    const createdAt = this.#records.get(name)?.createdAt ?? now;
    this.#records.set(name, { attributes, createdAt, modifiedAt: now });
    const queue = this.#queues.get(name);
    queue?.configure(attributes);
    return queue ?? this.#open(name, attributes);
  }

  /**
   * Works as CreateQueue: throws `AwsError` `QueueNameExists` if the queue exists with other attributes, and
   * `QueueDeletedRecently` if one with this name was deleted within the last minute.
   */
  create(name: string, attributes: QueueAttributes): Queue {
    const existing = this.#records.get(name);
    if (existing === undefined) {
      if (this.#isRecent(this.#deletedAt.get(name))) {
        throw new AwsError(
          'QueueDeletedRecently',
          `You must wait ${secondsToForget} seconds after deleting a queue before you can create another with the same name.`,
        );
      }
      return this.put(name, attributes);
    }
    const current = withDefaults(existing.attributes);
    const different = Object.keys(attributes).find((attribute) => attributes[attribute] !== current[attribute]);
    if (different === undefined) return this.named(name);
    throw new AwsError(
      'QueueNameExists',
      `A queue already exists with the same name and a different value for attribute ${different}`,
    );
  }

  /** Changes some attributes of an existing queue. */
  modify(queue: Queue, changes: QueueAttributes): void {
    this.put(queue.name, { ...this.#records.get(queue.name)?.attributes, ...changes });
  }

  find(name: string): Queue | undefined {
    return this.#queues.get(name);
  }

  /** Throws `AwsError` `QueueDoesNotExist`. */
  named(name: string): Queue {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw queueDoesNotExist();
    return queue;
  }

  withArn(arn: string): Queue | undefined {
    const queue = this.#queues.get(arn.slice(arn.lastIndexOf(':') + 1));
    return queue?.arn === arn ? queue : undefined;
  }

  /** By name. */
  all(): Queue[] {
    return [...this.#queues.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The queues whose dead-letter queue this is. */
  sourcesOf(deadLetterQueue: Queue): Queue[] {
    return this.all().filter(({ settings }) => settings.redrivePolicy?.deadLetterTargetArn === deadLetterQueue.arn);
  }

  /** All attributes of a queue, including the counts. */
  describe(queue: Queue): QueueAttributes {
    const record = this.#records.get(queue.name);
    const { visible, delayed, inFlight } = queue.counts();
    return {
      ...withDefaults(record?.attributes ?? {}),
      QueueArn: queue.arn,
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesDelayed: String(delayed),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
      CreatedTimestamp: seconds(record?.createdAt),
      LastModifiedTimestamp: seconds(record?.modifiedAt),
    };
  }

  /** Throws `AwsError` `PurgeQueueInProgress` if the queue was purged within the last minute. */
  purge(queue: Queue): void {
    if (this.#isRecent(this.#purgedAt.get(queue.name))) {
      throw new AwsError(
        'PurgeQueueInProgress',
        `Only one PurgeQueue operation on ${queue.name} is allowed every ${secondsToForget} seconds.`,
        403,
      );
    }
    this.#purgedAt.set(queue.name, this.#options.now());
    queue.purge();
  }

  delete(queue: Queue): void {
    this.#deletedAt.set(queue.name, this.#options.now());
    queue.destroy();
    this.#queues.delete(queue.name);
    this.#records.delete(queue.name);
  }

  close(): void {
    for (const queue of this.#queues.values()) queue.close();
    if (this.#records instanceof JournaledMap) this.#records.close();
  }

  #isRecent(time: number | undefined): boolean {
    return time !== undefined && this.#options.now() - time < secondsToForget * 1000;
  }

  #open(name: string, attributes: QueueAttributes): Queue {
    const { dataDir, now, servers } = this.#options;
    const queue = new Queue({
      name,
      arn: this.arn(name),
      attributes,
      now,
      servers,
      logFile: dataDir && join(dataDir, 'messages', `${name}.jsonl`),
      findQueue: (arn) => this.withArn(arn),
    });
    this.#queues.set(name, queue);
    return queue;
  }
}

function seconds(milliseconds = 0): string {
  return String(Math.floor(milliseconds / 1000));
}
