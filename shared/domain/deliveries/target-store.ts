import type { PhoneNumber, SigningSecrets, Target } from '../accounts/number.ts';
import type { Breaker } from './breaker.ts';

/** A number with all that decides how its notifications are delivered. */
export interface DeliverySettings {
  number: PhoneNumber;
  secrets: SigningSecrets | undefined;
  breakers: Partial<Record<Target, Breaker>>;
}

export type NumberWithSecrets = Pick<DeliverySettings, 'number' | 'secrets'>;

/** A target whose circuit breaker has tripped: it is open, or was and is being drained. */
export interface TrippedTarget {
  number: string;
  target: Target;
  breaker: Breaker;
}

/** The targets of numbers: URLs, signing secrets and circuit breakers. */
export interface TargetStore {
  /** In one read; `undefined` when there is no such number. */
  read(number: string): Promise<DeliverySettings | undefined>;
  /** The number that the upstream knows by this id. The store remembers which number that is and checks it. */
  findByPhoneNumberId(phoneNumberId: string): Promise<PhoneNumber | undefined>;
  /**
   * Sets URLs, or removes them (`null`) and notes the version of the settings with which they were removed; `undefined`
   * when there is no such number.
   */
  setUrls(number: string, urls: Partial<Record<Target, string | null>>): Promise<PhoneNumber | undefined>;
  getSecrets(number: string): Promise<SigningSecrets | undefined>;
  /** The numbers of a workspace with their secrets, read consistently; fifty of them in one call after the first. */
  listWithSecrets(workspace: string): AsyncGenerator<NumberWithSecrets>;
  /** Keeps the first secrets of a number; `false` when it has some. */
  createSecrets(number: string, secrets: SigningSecrets): Promise<boolean>;
  /**
   * Replaces the secrets whose current one is `expected`, or gives a number its first, and notes that what is known of
   * the number is out of date. `false` when somebody else changed it meanwhile, or this is a repeat.
   */
  replaceSecrets(number: string, expected: string | undefined, secrets: SigningSecrets): Promise<boolean>;
  /**
   * Counts one more failure in a row, of an attempt with a name of its own: the client repeats a write whose response
   * was lost, and that would count it twice.
   */
  countFailure(number: string, target: Target, delivery: string, attempt: string): Promise<Breaker>;
  /** Resets the failure count of a target that is being drained. */
  clearFailures(number: string, target: Target): Promise<void>;
  /** Opens it, to be probed first at `probeAt`. */
  open(number: string, target: Target, now: number, probeAt: number): Promise<Breaker>;
  /** Takes the probe that is due; of several callers one gets it. `breaker` is what the caller has read. */
  takeProbe(number: string, target: Target, breaker: Breaker, now: number, nextProbeAt: number): Promise<boolean>;
  /** Pauses the target until somebody resumes it, and leaves it out of `listTripped`; `false` when it is not open. */
  pause(number: string, target: Target, now: number): Promise<boolean>;
  /** Closes it; what is held is released from now on. `false` when it was not open. */
  startDraining(number: string, target: Target, token: string, now: number): Promise<boolean>;
  /**
   * Records that the drain continues, under another token if `next` is given; `false` when another drain has begun.
   */
  continueDraining(number: string, target: Target, token: string, now: number, next?: string): Promise<boolean>;
  /** Forgets the failures that a closed breaker counted, unless it has opened since or is being drained. */
  reset(number: string, target: Target): Promise<void>;
  /** Ends the drain with this token: nothing is held for the target any more. */
  endDraining(number: string, target: Target, token: string): Promise<void>;
  /** Targets whose breaker is open and not paused, or being drained. */
  listTripped(): AsyncGenerator<TrippedTarget>;
}
