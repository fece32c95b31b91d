import { createHash } from 'node:crypto';

/** A message attribute in the form of Lambda's SQS events. `binaryValue` is base64. */
export interface MessageAttribute {
  dataType: string;
  stringValue?: string;
  binaryValue?: string;
}

/** A message as the queue keeps it, in memory and on disk. Times are milliseconds since 1970. */
export interface Message {
  messageId: string;
  body: string;
  md5OfBody: string;
  messageAttributes: Record<string, MessageAttribute>;
  senderId: string;
  groupId?: string;
  traceHeader?: string;
  sentAt: number;
  /** When the message becomes visible for the first time. */
  dueAt: number;
  receiveCount: number;
  firstReceivedAt?: number;
  /** ARN of the queue that moved it to the dead-letter queue. */
  deadLetterSource?: string;
}

/** A message as a consumer receives it. The names are those of Lambda's SQS events. */
export interface ReceivedMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  md5OfBody: string;
  /** The system attributes, such as `ApproximateReceiveCount`. */
  attributes: Record<string, string>;
  messageAttributes: Record<string, MessageAttribute>;
}

export interface ReceiveOptions {
  maxMessages: number;
  waitSeconds: number;
  /** Without it, the queue's own applies. */
  visibilityTimeoutSeconds?: number;
  /** Ends the wait without messages. */
  signal?: AbortSignal;
}

/** What a consumer needs of a queue. */
export interface MessageSource {
  receive(options: ReceiveOptions): Promise<ReceivedMessage[]>;
  delete(receiptHandle: string): void | Promise<void>;
}

export function systemAttributes(message: Message): Record<string, string> {
  return {
    SenderId: message.senderId,
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(message.groupId !== undefined && { MessageGroupId: message.groupId }),
    ...(message.traceHeader !== undefined && { AWSTraceHeader: message.traceHeader }),
    ...(message.deadLetterSource !== undefined && { DeadLetterQueueSourceArn: message.deadLetterSource }),
  };
}

export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** As in "Calculating the MD5 message digest for message attributes" of the SQS guide. `undefined` for none. */
export function md5OfAttributes(attributes: Record<string, MessageAttribute>): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const addWithLength = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const { dataType = '', stringValue, binaryValue = '' } = attributes[name] ?? {};
    addWithLength(Buffer.from(name));
    addWithLength(Buffer.from(dataType));
    const isBinary = dataType.startsWith('Binary');
    hash.update(Buffer.from([isBinary ? 2 : 1]));
    addWithLength(isBinary ? Buffer.from(binaryValue, 'base64') : Buffer.from(stringValue ?? ''));
  }
  return hash.digest('hex');
}

/** What SQS counts against its size limits: the body and the names, types and values of the attributes, in bytes. */
export function sizeOf(body: string, attributes: Record<string, MessageAttribute>): number {
  let bytes = Buffer.byteLength(body);
  for (const [name, { dataType, stringValue = '', binaryValue = '' }] of Object.entries(attributes)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(dataType);
    bytes += Buffer.byteLength(stringValue) + Buffer.byteLength(binaryValue, 'base64');
  }
  return bytes;
}
