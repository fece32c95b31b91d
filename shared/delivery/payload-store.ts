import type { BlobStore } from '#shared/aws/bucket.ts';
import type { Payload } from './delivery.ts';

/** The bodies of notifications: with the delivery while they are small, in the bucket when they are not. */
export interface PayloadStore {
  keep(subscriber: string, delivery: string, text: string): Promise<Payload>;
  keepInBucket(subscriber: string, delivery: string, text: string): Promise<Payload>;
  read(payload: Payload): Promise<string>;
}

/** A body up to this size travels in the queue's message and stays in the delivery's item (400 KB at most). */
const maxInlineBytes = 200_000;

/** Stores the bodies of notifications: with the delivery while they are small, else in the bucket. */
export function payloadStore(blobs: BlobStore): PayloadStore {
  async function keepInBucket(subscriber: string, delivery: string, text: string): Promise<Payload> {
    const blob = `notifications/${subscriber}/${delivery}.json`;
    await blobs.put(blob, text);
    return { blob };
  }

  return {
    async keep(subscriber: string, delivery: string, text: string): Promise<Payload> {
      return Buffer.byteLength(text) <= maxInlineBytes ? { text } : keepInBucket(subscriber, delivery, text);
    },

    keepInBucket,

    async read(payload: Payload): Promise<string> {
      if ('text' in payload) return payload.text;
      const text = await blobs.get(payload.blob);
      if (text === undefined) throw new Error('The body of a notification is gone from the bucket');
      return text;
    },
  };
}
