import type { PhoneNumber } from '../accounts/number.ts';
import type { SigningSecrets, Subscriber, SubscriberKey, Target } from '../accounts/subscriber.ts';
import type { Breaker } from './breaker.ts';
import type { Failure } from './failures-in-a-row.ts';
import type { StoredHeaders } from './receiver-headers.ts';

/** A subscriber with everything that decides how its notifications are delivered. */
export interface DeliverySettings {
  subscriber: Subscriber;
  secrets: SigningSecrets | undefined;
  /** Absent if no target has headers of its own. */
  headers?: Partial<Record<Target, StoredHeaders>>;
  breakers: Partial<Record<Target, Breaker>>;
}

/** What changes of a target. An absent member keeps its value; `null` stands for all events, or for no headers. */
export interface StoredTargetChanges {
  events?: readonly string[] | null | undefined;
  headers?: StoredHeaders | null | undefined;
}

export interface NumberWithSecrets {
  number: PhoneNumber;
  secrets: SigningSecrets | undefined;
}

/** A target whose circuit breaker is open, or was open and is being drained. */
export interface TrippedTarget {
  /** The subscriber's id. */
  number: string;
  target: Target;
  breaker: Breaker;
}

/** The targets of subscribers: URLs, signing secrets and circuit breakers. */
export interface TargetStore {
  /** Reads everything in one call; `undefined` when no such number exists, or nothing is set for the workspace. */
  read(subscriber: string): Promise<DeliverySettings | undefined>;
  /** Reads one circuit breaker, consistently; `undefined` if it is closed and has counted no failures. */
  readBreaker(subscriber: string, target: Target): Promise<Breaker | undefined>;
  /** Finds the number with this upstream id. The store remembers which number that is, and verifies it each time. */
  findByPhoneNumberId(phoneNumberId: string): Promise<PhoneNumber | undefined>;
  /**
   * Sets URLs, or removes them (`null`) and notes the version of the settings with which they were removed; `undefined`
   * when the number does not exist.
   */
  setUrls(subscriber: SubscriberKey, urls: Partial<Record<Target, string | null>>): Promise<Subscriber | undefined>;
  /** Changes what a target gets, which counts as a change of the settings; `false` when the number does not exist. */
  changeTarget(subscriber: SubscriberKey, target: Target, changes: StoredTargetChanges): Promise<boolean>;
  getSecrets(subscriber: string): Promise<SigningSecrets | undefined>;
  /** Reads the numbers of a workspace with their secrets, consistently: one query, then fifty numbers in each call. */
  listWithSecrets(workspace: string): AsyncGenerator<NumberWithSecrets>;
  /** Stores the first secrets of a subscriber; `false` when it already has some. */
  createSecrets(subscriber: string, secrets: SigningSecrets): Promise<boolean>;
  /**
   * Replaces the secrets if the current one is `expected`, or stores the first ones, and adds one to the version of the
   * subscriber's settings. `false` when another request changed them meanwhile, or this write is a repeat.
   */
  replaceSecrets(subscriber: SubscriberKey, expected: string | undefined, secrets: SigningSecrets): Promise<boolean>;
  /**
   * Adds one to the version of the settings, so that every process reads them before it sends what is ingested from now
   * on.
   */
  addVersion(subscriber: SubscriberKey): Promise<void>;
  /**
   * Counts more failures in a row, in one write. The first attempt keeps a write that the client repeats after a lost
   * response from counting twice.
   */
  countFailures(subscriber: string, target: Target, failures: readonly Failure[]): Promise<Breaker>;
  /**
   * Notes that a target counts as slow until then, if it still has the URL of this subscriber. Writes nothing if another
   * process has noted that it is slow until `enough` or later.
   */
  noteSlow(subscriber: Subscriber, target: Target, until: number, enough: number): Promise<void>;
  /** Resets the failure count of a target that is being drained. */
  clearFailures(subscriber: string, target: Target): Promise<void>;
  /** Opens the breaker, unless it is open already. The first probe is due at `probeAt`. */
  open(subscriber: string, target: Target, now: number, probeAt: number): Promise<Breaker>;
  /** Takes the probe that is due. Only one of several callers gets it. `breaker` is what the caller has read. */
  takeProbe(subscriber: string, target: Target, breaker: Breaker, now: number, nextProbeAt: number): Promise<boolean>;
  /** Pauses the target until somebody resumes it; `false` when it is not open. */
  pause(subscriber: string, target: Target, now: number): Promise<boolean>;
  /** Notes the event that was announced last. After the event that it was paused, the target leaves `listTripped`. */
  noteAnnounced(subscriber: string, target: Target, event: { name: string; isPause: boolean }): Promise<void>;
  /** Closes the breaker and begins a drain; `false` when it was not open. */
  startDraining(subscriber: string, target: Target, token: string, now: number): Promise<boolean>;
  /** Records that the drain continues, with the token `next` if given; `false` when another drain has begun. */
  continueDraining(subscriber: string, target: Target, token: string, now: number, next?: string): Promise<boolean>;
  /** Forgets the failures that a closed breaker counted, unless it has opened since or is being drained. */
  reset(subscriber: string, target: Target): Promise<void>;
  /** Ends the drain with this token: nothing is held for the target any more. */
  endDraining(subscriber: string, target: Target, token: string): Promise<void>;
  /** Targets whose breaker is open, or being drained. Those that are paused are left out once that is announced. */
  listTripped(): AsyncGenerator<TrippedTarget>;
}
