import type { ReceivedMessage } from '../sqs/queue/message.ts';
import { maxRequestBytes } from './invocation.ts';

/** The envelope around the records, `{"Records":[…]}`. */
const envelopeBytes = 16;

function toRecord(message: ReceivedMessage, queueArn: string): string {
  return JSON.stringify({
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: message.attributes,
    messageAttributes: {},
    md5OfBody: message.md5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3],
  });
}

export interface SqsBatch {
  readonly messages: readonly ReceivedMessage[];
  /** The event's JSON. */
  readonly event: string;
}

/** The events for received messages: one, or several if one would be too large for a function. */
export function toSqsEvents(
  messages: readonly ReceivedMessage[],
  queueArn: string,
  maximumBytes = maxRequestBytes,
): SqsBatch[] {
  const batches: { messages: ReceivedMessage[]; records: string[]; bytes: number }[] = [];
  for (const message of messages) {
    const record = toRecord(message, queueArn);
    const bytes = Buffer.byteLength(record) + 1;
    const last = batches.at(-1);
    if (last && last.bytes + bytes <= maximumBytes) {
      last.messages.push(message);
      last.records.push(record);
      last.bytes += bytes;
    } else {
      batches.push({ messages: [message], records: [record], bytes: envelopeBytes + bytes });
    }
  }
  return batches.map(({ messages, records }) => ({ messages, event: `{"Records":[${records.join(',')}]}` }));
}
