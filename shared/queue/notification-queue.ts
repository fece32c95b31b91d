import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { QueueMessage } from '../deliveries/message.ts';
import { lazy } from '../lazy.ts';

/** Longest delay that SQS takes (SQS quotas). */
export const longestDelaySeconds = 900;

/** Most entries, and most bytes with some room for what surrounds them, of one SendMessageBatch. */
const maxEntries = 10;
const maxBatchBytes = 1_000_000;

/** How many batches are sent at once. */
const batchesInFlight = 8;

export interface Outgoing {
  message: QueueMessage;
  delaySeconds?: number;
}

export type NotificationQueue = ReturnType<typeof notificationQueue>;

/** The queue of notifications, fair between numbers: each number is a message group. */
export function notificationQueue(url: string) {
  const client = lazy(
    () =>
      new SQSClient({
        maxAttempts: 3,
        requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
      }),
  );

  async function sendBatch(batch: readonly Entry[]): Promise<void> {
    const { Failed } = await client().send(
      new SendMessageBatchCommand({
        QueueUrl: url,
        Entries: batch.map(({ body, message, delaySeconds }, index) => ({
          Id: String(index),
          MessageBody: body,
          MessageGroupId: message.number,
          ...(delaySeconds !== undefined && {
            DelaySeconds: Math.min(Math.max(Math.round(delaySeconds), 0), longestDelaySeconds),
          }),
        })),
      }),
    );
    if (Failed?.length) throw new Error(`The queue did not take ${Failed.length} messages: ${Failed[0]?.Code}`);
  }

  return {
    /** Resolves when the queue has all of them; rejects when it is not known to have even one. */
    async send(messages: readonly Outgoing[]): Promise<void> {
      const batches = inBatches(messages);
      const next = batches.values();
      const worker = async () => {
        for (const batch of next) await sendBatch(batch);
      };
      await Promise.all(Array.from({ length: Math.min(batchesInFlight, batches.length) }, worker));
    },
  };
}

type Entry = Outgoing & { body: string };

/** As JSON, with escapes for the two characters that JSON may hold as they are and SQS refuses (U+FFFE, U+FFFF). */
function messageText(message: QueueMessage): string {
  return JSON.stringify(message).replace(
    /[\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}

function inBatches(messages: readonly Outgoing[]): Entry[][] {
  const batches: Entry[][] = [];
  let bytes = 0;
  for (const outgoing of messages) {
    const entry = { ...outgoing, body: messageText(outgoing.message) };
    const size = Buffer.byteLength(entry.body);
    const batch = batches.at(-1);
    if (batch && batch.length < maxEntries && bytes + size <= maxBatchBytes) {
      batch.push(entry);
      bytes += size;
    } else {
      batches.push([entry]);
      bytes = size;
    }
  }
  return batches;
}
