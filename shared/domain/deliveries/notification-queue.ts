import type { QueueMessage } from './message.ts';

export interface QueueEntry {
  message: QueueMessage;
  delaySeconds?: number;
}

/** The queue will never accept these messages, because of their content. It accepted all others. */
export class RejectedMessagesError extends Error {
  override readonly name = 'RejectedMessagesError';

  readonly rejected: readonly QueueMessage[];
  /** What SQS calls the fault. */
  readonly code: string;

  constructor(rejected: readonly QueueMessage[], code: string) {
    super(`The queue rejected ${rejected.length} messages: ${code}`);
    this.rejected = rejected;
    this.code = code;
  }
}

/** The queue of notifications, fair between subscribers. */
export interface NotificationQueue {
  /**
   * Resolves when the queue has all of them. Rejects with `RejectedMessagesError` when it has all but those that it
   * rejects for good, and otherwise when it is not known to have even one.
   */
  send(entries: readonly QueueEntry[]): Promise<void>;
}
