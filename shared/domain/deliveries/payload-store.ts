import type { Payload } from './delivery.ts';

/** The bodies of notifications: with the delivery while they are small, in the bucket when they are not. */
export interface PayloadStore {
  keep(subscriber: string, delivery: string, text: string): Promise<Payload>;
  keepInBucket(subscriber: string, delivery: string, text: string): Promise<Payload>;
  read(payload: Payload): Promise<string>;
}
