import type { DeliveryState } from '#shared/domain/deliveries/delivery.ts';
import type { Lease } from '#shared/domain/deliveries/delivery-store.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import type { Change } from '../../../support/memory-table/memory-table.ts';
import { eventIn, loadTargets, type ReceiverKind } from './upstream-events.ts';

const states = ['sending', 'waiting', 'held', 'delivered', 'exhausted', 'discarded'] as const satisfies DeliveryState[];

/** The state of a notification without a delivery: it waits in the queue, or it is lost. */
const none = 0;
const codeOf = new Map<unknown, number>(states.map((state, index) => [state, index + 1]));
const [sending, delivered] = [codeOf.get('sending'), codeOf.get('delivered')];

const kinds: readonly ReceiverKind[] = ['healthy', 'slow', 'hanging', 'down'];

/** The outcome of the notifications of one kind of receiver. */
export type Outcome = Partial<Record<DeliveryState | 'queued' | 'lost', number>>;

/**
 * Knows of each notification whether a delivery exists, in which state it is, how often its receiver accepted it, and
 * how long it waited for its first POST. It takes ten bytes for each.
 */
export class Ledger {
  readonly #targets: number;
  readonly #now: () => number;
  readonly #states: Uint8Array;
  /** When the leases of deliveries that are being sent expire. */
  readonly #leases = new Map<number, number>();
  readonly #accepted: Uint8Array;
  readonly #waits: Float32Array;
  readonly #kinds: Uint8Array;
  readonly #arrivedAt: Float64Array;
  /**
   * Notifications that the service has not finished, by kind of receiver; for dead ones, those that it has not handled
   * once.
   */
  readonly #open: Record<ReceiverKind, number> = { healthy: 0, slow: 0, hanging: 0, down: 0 };
  /** When the service was done with the last of them. */
  readonly doneAt: Partial<Record<ReceiverKind, number>> = {};
  posts = 0;
  /** Successful deliveries. */
  deliveries = 0;
  repeats = 0;

  constructor(events: number, targets: number, now: () => number) {
    this.#targets = targets;
    this.#now = now;
    this.#states = new Uint8Array(events * targets);
    this.#accepted = new Uint8Array(events * targets);
    this.#waits = new Float32Array(events * targets).fill(-1);
    this.#kinds = new Uint8Array(events);
    this.#arrivedAt = new Float64Array(events);
  }

  /** An event of the upstream has arrived. */
  arrived(event: number, kind: ReceiverKind): void {
    this.#kinds[event] = kinds.indexOf(kind);
    this.#arrivedAt[event] = this.#now();
    this.#open[kind] += this.#targets;
  }

  /** Notes a change in the table. */
  changed({ before, after }: Change): void {
    const code = codeOf.get(after?.state);
    if (code === undefined || after?.payload === undefined) return;
    const event = eventIn((after.payload as { text: string }).text);
    const slot = this.#slot(event, String(after.target));
    const kind = this.#receiverOf(event);
    const wasDone = isDone(this.#states[slot] ?? none, kind);
    if (before === undefined && this.#states[slot] !== none) this.repeats++;
    this.#states[slot] = code;
    if (code === sending) this.#leases.set(slot, (after.lease as Lease).expires_at);
    else this.#leases.delete(slot);
    if (code === delivered) this.deliveries++;
    if (isDone(code, kind) === wasDone) return;
    this.#open[kind] += wasDone ? 1 : -1;
    this.doneAt[kind] = this.#now();
  }

  posted(body: string, target: string): void {
    this.posts++;
    const event = eventIn(body);
    const slot = this.#slot(event, target);
    if (this.#waits[slot] === -1) this.#waits[slot] = this.#now() - (this.#arrivedAt[event] ?? 0);
  }

  accepted(body: string, target: string): void {
    const slot = this.#slot(eventIn(body), target);
    this.#accepted[slot] = (this.#accepted[slot] ?? 0) + 1;
    if ((this.#accepted[slot] ?? 0) > 1) this.repeats++;
  }

  /** Whether the service is done with all that arrived: delivered, or set aside if its receiver is dead. */
  get isDone(): boolean {
    return Object.values(this.#open).every((open) => open === 0);
  }

  /**
   * From the arrival of an event to the first POST, in milliseconds, in order; for events of one kind that arrived from
   * one time to another.
   */
  waits(kind: ReceiverKind, from: number, to: number): Float32Array {
    const isWanted = (wait: number, slot: number) => {
      const event = Math.floor(slot / this.#targets);
      const arrivedAt = this.#arrivedAt[event] ?? 0;
      return wait >= 0 && arrivedAt >= from && arrivedAt < to && this.#receiverOf(event) === kind;
    };
    return this.#waits.filter(isWanted).sort();
  }

  /** Counts every notification once. Those without a delivery must be in the queue. */
  outcome(queued: Iterable<{ body: string }>): Record<ReceiverKind, Outcome> {
    const inQueue = this.#inQueue(queued);
    const outcome: Record<ReceiverKind, Outcome> = { healthy: {}, slow: {}, hanging: {}, down: {} };
    for (const [slot, code] of this.#states.entries()) {
      const counts = outcome[this.#receiverOf(Math.floor(slot / this.#targets))];
      // Between the response of a receiver and its record, the delivery is being sent, and its lease has not expired.
      const isTrue = this.#isLeased(slot) || (code === delivered) === (this.#accepted[slot] === 1);
      const state = states[code - 1] ?? (inQueue.has(slot) ? 'queued' : 'lost');
      const name = isTrue ? state : 'lost';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return outcome;
  }

  #isLeased(slot: number): boolean {
    return (this.#leases.get(slot) ?? 0) > this.#now();
  }

  /** The notifications whose first message is in the queue. */
  #inQueue(queued: Iterable<{ body: string }>): ReadonlySet<number> {
    const slots = new Set<number>();
    for (const { body } of queued) {
      const { task, target } = JSON.parse(body) as { task: string; target: string };
      if (task === 'deliver') slots.add(this.#slot(eventIn(body), target));
    }
    return slots;
  }

  #slot(event: number, target: string): number {
    return event * this.#targets + loadTargets.indexOf(target as Target);
  }

  #receiverOf(event: number): ReceiverKind {
    return kinds[this.#kinds[event] ?? 0] ?? 'healthy';
  }
}

const isDone = (code: number, kind: ReceiverKind) =>
  kind === 'healthy' || kind === 'slow' ? code === delivered : code !== none && code !== sending;
