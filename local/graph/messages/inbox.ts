import * as z from 'zod/mini';
import type { Change, Chat, Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import type { Windows } from './windows.ts';

/** A message from a contact. */
export interface ReceivedMessage extends Chat {
  readonly id: string;
  /** The group that it was written in. */
  readonly group_id: string | null;
  readonly type: string;
  /** The member of the message with the name of its type. */
  readonly content: unknown;
  readonly context: unknown;
  /** Milliseconds since the epoch. */
  readonly received_at: number;
  /** Whether the business has marked it as read, and whether it showed that it is typing. */
  readonly read: boolean;
  readonly typing: boolean;
}

const keptMessages = 10_000;

const valueSchema = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  messages: z.array(
    z.looseObject({
      id: z.string(),
      type: z.string(),
      from: z.optional(z.string()),
      from_user_id: z.optional(z.string()),
      group_id: z.optional(z.string()),
    }),
  ),
});

/** The latest messages from contacts. */
export class Inbox {
  readonly #platform: Platform;
  readonly #records: Records<ReceivedMessage>;
  readonly #windows: Windows;

  constructor(platform: Platform, windows: Windows) {
    this.#platform = platform;
    this.#records = platform.open('inbox');
    this.#windows = windows;
  }

  /** Newest first. */
  all(): ReceivedMessage[] {
    return [...this.#records.values()].reverse();
  }

  get(id: string): ReceivedMessage | undefined {
    return this.#records.get(id);
  }

  save(message: ReceivedMessage): void {
    this.#records.set(message.id, message);
    const [oldest] = this.#records.size > keptMessages ? this.#records.values() : [];
    if (oldest !== undefined) this.#records.delete(oldest.id);
  }

  /** Keeps the messages from contacts that an event brings, if any. They open the window. */
  note({ field, value }: Change): void {
    const { success, data } = field === 'messages' ? z.safeParse(valueSchema, value) : { success: false };
    if (!success || data === undefined) return;
    const { population, now } = this.#platform;
    for (const { id, type, from, from_user_id, group_id = null, context = null, ...members } of data.messages) {
      const sender = from ?? from_user_id;
      if (sender === undefined || type === 'system') continue;
      const message = {
        id,
        phone_number_id: data.metadata.phone_number_id,
        contact: population.idOf(sender),
        group_id,
        type,
        content: members[type] ?? null,
        context,
        received_at: now(),
        read: false,
        typing: false,
      };
      this.save(message);
      this.#windows.contactActed(message);
    }
  }
}
