import type { QueueMessage } from './message.ts';

/** Longest delay that SQS takes (SQS quotas). */
export const longestDelaySeconds = 900;

export interface QueueEntry {
  message: QueueMessage;
  delaySeconds?: number;
}

/** The queue will never take these messages, whatever else it took: they are at fault themselves. */
export class RefusedMessagesError extends Error {
  override readonly name = 'RefusedMessagesError';

  readonly refused: readonly QueueMessage[];
  /** What SQS calls the fault. */
  readonly code: string;

  constructor(refused: readonly QueueMessage[], code: string) {
    super(`The queue refused ${refused.length} messages: ${code}`);
    this.refused = refused;
    this.code = code;
  }
}

/** The queue of notifications, fair between numbers. */
export interface NotificationQueue {
  /**
   * Resolves when the queue has all of them. Rejects with `RefusedMessagesError` when it has all but those that it
   * refuses for good, and otherwise when it is not known to have even one.
   */
  send(entries: readonly QueueEntry[]): Promise<void>;
}
