import { join } from 'node:path';
import { accountId } from '../base/account.ts';
import { AwsError } from '../base/aws-error.ts';
import { JournaledMap } from '../base/journal.ts';
import { Queue } from './queue.ts';
import { type QueueAttributes, readQueueAttributes, withDefaults } from './queue-attributes.ts';
import { invalidParameterValue, queueDoesNotExist } from './sqs-errors.ts';

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
}

const queueNamePattern = /^[\w-]{1,80}$/;

/** The queues with their attributes. A `dataDir` keeps them on disk. */
export class QueueRegistry {
  readonly #options: RegistryOptions;
  readonly #records: JournaledMap<QueueRecord> | Map<string, QueueRecord>;
  readonly #queues = new Map<string, Queue>();

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
    readQueueAttributes(attributes);
    const now = this.#options.now();
    const createdAt = this.#records.get(name)?.createdAt ?? now;
    this.#records.set(name, { attributes, createdAt, modifiedAt: now });
    const queue = this.#queues.get(name);
    queue?.configure(attributes);
    return queue ?? this.#open(name, attributes);
  }

  /** Works as CreateQueue: throws `AwsError` `QueueNameExists` if the queue exists with other attributes. */
  create(name: string, attributes: QueueAttributes): Queue {
    const existing = this.#records.get(name);
    if (existing === undefined) return this.put(name, attributes);
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

  delete(queue: Queue): void {
    queue.destroy();
    this.#queues.delete(queue.name);
    this.#records.delete(queue.name);
  }

  close(): void {
    for (const queue of this.#queues.values()) queue.close();
    if (this.#records instanceof JournaledMap) this.#records.close();
  }

  #open(name: string, attributes: QueueAttributes): Queue {
    const { dataDir, now } = this.#options;
    const queue = new Queue({
      name,
      arn: this.arn(name),
      attributes,
      now,
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
