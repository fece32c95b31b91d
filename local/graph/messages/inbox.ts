import * as z from 'zod/mini';
import type { ContactId } from '../core/contacts.ts';
import type { Population } from '../core/population.ts';
import type { Change } from '../events/events.ts';

/** A message from a contact. */
export interface ReceivedMessage {
  readonly id: string;
  readonly phone_number_id: string;
  readonly contact: ContactId;
  readonly type: string;
  /** Whether the business has marked it as read, and whether it showed that it is typing. */
  readonly read: boolean;
  readonly typing: boolean;
}

const keptMessages = 10_000;

const valueSchema = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  messages: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      from: z.optional(z.string()),
      from_user_id: z.optional(z.string()),
    }),
  ),
});

/** The messages from contacts since the simulator was started. */
export class Inbox {
  readonly #messages = new Map<string, ReceivedMessage>();
  readonly #population: Population;
  readonly #onMessage: (message: ReceivedMessage) => void;

  constructor(population: Population, onMessage: (message: ReceivedMessage) => void) {
    this.#population = population;
    this.#onMessage = onMessage;
  }

  /** Newest first. */
  all(): ReceivedMessage[] {
    return [...this.#messages.values()].reverse();
  }

  get(id: string): ReceivedMessage | undefined {
    return this.#messages.get(id);
  }

  save(message: ReceivedMessage): void {
    this.#messages.set(message.id, message);
    const [oldest] = this.#messages.size > keptMessages ? this.#messages.keys() : [];
    if (oldest !== undefined) this.#messages.delete(oldest);
  }

  /** Keeps the messages from contacts that an event brings, if any. */
  note({ field, value }: Change): void {
    const { success, data } = field === 'messages' ? z.safeParse(valueSchema, value) : { success: false };
    if (!success || data === undefined) return;
    for (const { id, type, from, from_user_id } of data.messages) {
      const sender = from ?? from_user_id;
      if (sender === undefined || type === 'system') continue;
      const contact = this.#population.idOf(sender);
      const message = { id, phone_number_id: data.metadata.phone_number_id, contact, type, read: false, typing: false };
      this.save(message);
      this.#onMessage(message);
    }
  }
}
