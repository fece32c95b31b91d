import { hash } from 'node:crypto';

export interface DeliveryIdentity {
  /** The id of the subscriber. */
  readonly subscriber: string;
  /** `webhook`, `secondary_webhook` or `calls_webhook`. */
  readonly target: string;
  /** The event's identity upstream. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
}

/**
 * The id of an event's delivery to a target: a UUID of version 8 (RFC 9562, section 5.8). It begins with the event's
 * time, so that ids sort by time, and continues with a hash of the event and its target. The same event always gets the
 * same id.
 */
export function deliveryId({ subscriber, target, key, timestampMs }: DeliveryIdentity): string {
  const bytes = hash('sha256', JSON.stringify([subscriber, target, key]), 'buffer').subarray(0, 16);
  bytes.writeUIntBE(timestampMs, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
