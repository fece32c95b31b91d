import type { PhoneNumber } from './number.ts';
import type { StoredHeaders } from './receiver-headers.ts';
import type { Subscriber } from './subscriber.ts';
import type { Target, TargetRecord } from './target.ts';

/** A subscriber with everything that decides how its notifications are delivered, except secrets. */
export interface DeliverySettings {
  subscriber: Subscriber;
  targets: Record<Target, TargetRecord>;
}

/** What changes of a target. An absent member keeps its value; `null` stands for all events, or for no headers. */
export interface StoredTargetChanges {
  events?: readonly string[] | null | undefined;
  headers?: StoredHeaders | null | undefined;
  /** The version to which the change applies; without it, it applies to any. */
  version?: number;
}

/** What is set for the targets of subscribers. */
export interface TargetStore {
  /** Reads a subscriber with its targets, consistently, in one call; `undefined` when it does not exist. */
  read(subscriber: string): Promise<DeliverySettings | undefined>;
  /**
   * The same for the number with this upstream id. The store remembers which number that is, and verifies it each time.
   */
  findByPhoneNumberId(phoneNumberId: string): Promise<(DeliverySettings & { subscriber: PhoneNumber }) | undefined>;
  /**
   * Sets the URLs of targets, or removes them (`null`) and notes the version with which they were removed: all of them
   * or none. `false` when the subscriber does not exist.
   */
  setUrls(subscriber: string, urls: Partial<Record<Target, string | null>>): Promise<boolean>;
  /**
   * Changes what a target gets, the values of its headers and their names in one write; `false` when it has another
   * version by now, or the subscriber does not exist.
   */
  changeTarget(subscriber: string, target: Target, changes: StoredTargetChanges): Promise<boolean>;
  /**
   * Notes that a target counts as slow until then, if it still has this URL. Writes nothing if another process has
   * noted that it is slow until `enough` or later.
   */
  noteSlow(subscriber: string, target: Target, note: { url: string; until: number; enough: number }): Promise<void>;
}
