import { hourMs } from '#shared/base/time/duration.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { Records } from '../core/records.ts';
import type { SetupFaults } from '../core/setup-faults.ts';
import { elsewhere } from './callbacks.ts';

/** How a number is set up. */
export interface NumberState {
  readonly registered: boolean;
  /** Of the two-step verification. Null until one is set. */
  readonly pin: string | null;
  readonly override: string | null;
  /** When it was registered and deregistered of late, in milliseconds since the epoch. */
  readonly attempts: readonly number[];
}

/** The PIN of the numbers that are registered from the start. */
export const seededPin = '123456';

const seeded: NumberState = { registered: true, pin: seededPin, override: null, attempts: [] };

/** Meta's page "Register a business phone number". */
const maxAttempts = 10;
const attemptsPeriodMs = 72 * hourMs;

/** Registration, PIN and callback of the numbers, by their ids. */
export class NumberSetup {
  readonly #records: Records<NumberState>;
  readonly #faults: SetupFaults;
  readonly #now: () => number;

  constructor(records: Records<NumberState>, faults: SetupFaults, now: () => number) {
    this.#records = records;
    this.#faults = faults;
    this.#now = now;
  }

  of(id: string): NumberState {
    const stored = this.#stored(id);
    return {
      ...stored,
      registered: stored.registered && !this.#faults.has('number_not_registered'),
      override: this.#faults.has('number_callback_elsewhere') ? elsewhere.number : stored.override,
    };
  }

  /** Throws if the PIN is not the number's own, or if this is one attempt too many. */
  register(id: string, pin: string): void {
    this.#countAttempt(id);
    if (this.#faults.has('number_not_verified')) throw new GraphError('number_not_verified');
    const stored = this.#stored(id);
    if (stored.pin !== null && stored.pin !== pin) throw new GraphError('pin_mismatch');
    this.#change(id, { registered: true, pin });
    this.#faults.lift('number_not_registered');
  }

  /** The number keeps its PIN. Throws if this is one attempt too many. */
  deregister(id: string): void {
    this.#countAttempt(id);
    this.#change(id, { registered: false });
  }

  setPin(id: string, pin: string): void {
    this.#change(id, { pin });
  }

  setOverride(id: string, override: string | null): void {
    this.#change(id, { override });
    this.#faults.lift('number_callback_elsewhere');
  }

  /** Throws unless the number can send and call. */
  assertRegistered(id: string): void {
    if (!this.of(id).registered) throw new GraphError('sender_not_registered');
  }

  /** Attempts that fail count, too. */
  #countAttempt(id: string): void {
    const now = this.#now();
    const recent = this.#stored(id).attempts.filter((at) => at > now - attemptsPeriodMs);
    if (recent.length >= maxAttempts) throw new GraphError('registration_limit');
    this.#change(id, { attempts: [...recent, now] });
  }

  #change(id: string, changes: Partial<NumberState>): void {
    this.#records.set(id, { ...this.#stored(id), ...changes });
  }

  #stored(id: string): NumberState {
    return this.#records.get(id) ?? seeded;
  }
}
