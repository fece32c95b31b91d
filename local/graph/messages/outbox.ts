import { findNumber } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { Billing } from './billing.ts';
import { hasPrice, type Recipients, type SentMessage, statusEvent, withStatus } from './message.ts';
import type { Sending, StatusScript, StatusStep } from './settings.ts';

const keptMessages = 1000;

/** The messages that businesses have sent, and what becomes of them. */
export class Outbox {
  readonly #platform: Platform;
  readonly #records: Records<SentMessage>;
  readonly #sending: Sending;
  readonly #billing: Billing;
  readonly #waiting = new Set<NodeJS.Timeout>();

  constructor(platform: Platform, sending: Sending, billing: Billing) {
    this.#platform = platform;
    this.#records = platform.open('messages');
    this.#sending = sending;
    this.#billing = billing;
  }

  /** The latest messages, newest first. */
  all(): SentMessage[] {
    return [...this.#records.values()].reverse();
  }

  /** `latest` is the newest message. */
  get(id = ''): SentMessage {
    const message = id === 'latest' ? this.all()[0] : this.#records.get(id);
    if (message === undefined) throw new GraphError('object_missing', 'There is no such message');
    return message;
  }

  /** Keeps the message and sends its statuses, after the response to the business. */
  add(message: SentMessage, script: StatusScript): void {
    this.#records.set(message.id, message);
    const [oldest] = this.#records.size > keptMessages ? this.#records.values() : [];
    if (oldest !== undefined) this.#records.delete(oldest.id);
    this.play(message.id, script);
  }

  /** Sends statuses of a message, one after another. Those that still wait are lost when the simulator ends. */
  play(id: string, [step, ...rest]: StatusScript): void {
    if (step === undefined) return;
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      this.#tell(id, step);
      this.play(id, rest);
    }, step.after_ms ?? 0);
    this.#waiting.add(timer.unref());
  }

  close(): void {
    for (const timer of this.#waiting) clearTimeout(timer);
  }

  #tell(id: string, step: StatusStep): void {
    const { accounts, announce, now } = this.#platform;
    const stored = this.#records.get(id);
    const number = stored && findNumber(accounts, stored.phone_number_id);
    if (number === undefined || stored === undefined) return;
    const message = hasPrice(step) ? { ...stored, bill: stored.bill ?? this.#billing.billFor(stored) } : stored;
    this.#records.set(id, withStatus(message, step, now()));
    announce(statusEvent(message, step, { number, recipients: this.#recipientsOf(message) }, now()));
  }

  #recipientsOf({ contact, recipient_type }: SentMessage): Recipients {
    const { population } = this.#platform;
    if (recipient_type === 'individual') return { person: population.memberOf(contact) };
    const { group_participants, group_participant_spelling: spelling } = this.#sending.settings;
    return { participants: group_participants.map((id) => population.memberOf(id)), spelling };
  }
}
