import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { Population } from '../core/population.ts';
import type { Records } from '../core/records.ts';
import type { Change } from '../events/events.ts';
import type { Billing } from './billing.ts';
import { hasPrice, type Recipients, type SentMessage, statusEvent, withStatus } from './message.ts';
import type { SendingSettings } from './settings.ts';
import type { StatusScript, StatusStep } from './status-script.ts';

export interface OutboxOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly population: Population;
  readonly records: Records<SentMessage>;
  readonly settings: () => SendingSettings;
  readonly billing: Billing;
  readonly announce: (change: Change) => void;
  readonly now: () => number;
}

const keptMessages = 1000;

/** The messages that businesses have sent, and what becomes of them. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting = new Set<NodeJS.Timeout>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** The latest messages, newest first. */
  all(): SentMessage[] {
    return [...this.#options.records.values()].reverse();
  }

  find(id: string): SentMessage | undefined {
    return this.#options.records.get(id);
  }

  /** `latest` is the newest message. */
  get(id: string): SentMessage {
    const message = id === 'latest' ? this.all()[0] : this.find(id);
    if (message === undefined) throw new GraphError('object_missing', 'There is no such message');
    return message;
  }

  /** Keeps the message and sends its statuses, after the response to the business. */
  add(message: SentMessage, script: StatusScript): void {
    const { records } = this.#options;
    records.set(message.id, message);
    const [oldest] = records.size > keptMessages ? records.values() : [];
    if (oldest !== undefined) records.delete(oldest.id);
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
    const { accounts, records, billing, announce, now } = this.#options;
    const stored = records.get(id);
    const number = stored && findNumber(accounts, stored.phone_number_id);
    if (number === undefined || stored === undefined) return;
    const message = hasPrice(step) ? { ...stored, bill: stored.bill ?? billing.billFor(stored) } : stored;
    records.set(id, withStatus(message, step, now()));
    announce(statusEvent(message, step, { number, recipients: this.#recipientsOf(message) }, now()));
  }

  #recipientsOf({ contact, recipient_type }: SentMessage): Recipients {
    const { population, settings } = this.#options;
    if (recipient_type === 'individual') return { person: population.memberOf(contact) };
    const { group_participants, group_participant_spelling: spelling } = settings();
    return { participants: group_participants.map((id) => population.memberOf(id)), spelling };
  }
}
