/** The maximum number of messages in one request or response. */
export const maxInBatch = 10;
export const longestWaitSeconds = 20;

/** A message as the queue keeps it, in memory and on disk. Times are milliseconds since 1970. */
export interface Message {
  messageId: string;
  body: string;
  groupId?: string | undefined;
  sentAt: number;
  /** When the message becomes visible for the first time. */
  dueAt: number;
  receiveCount: number;
  firstReceivedAt?: number;
  /** ARN of the queue that moved it to the dead-letter queue. */
  deadLetterSource?: string;
}

/** A message as it is received. The names are those of Lambda's SQS events. */
export interface ReceivedMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  md5OfBody: string;
  /** The system attributes, such as `ApproximateReceiveCount`. */
  attributes: Record<string, string>;
}

export interface ReceiveOptions {
  maxMessages: number;
  waitSeconds: number;
  /** Without it, the queue's own applies. */
  visibilityTimeoutSeconds?: number | undefined;
  /** Ends the wait without messages. */
  signal?: AbortSignal;
}

/** What an event source needs of a queue. */
export interface MessageSource {
  receive(options: ReceiveOptions): Promise<ReceivedMessage[]>;
  delete(receiptHandle: string): void | Promise<void>;
}
