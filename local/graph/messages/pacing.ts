import type { SentMessage } from './message.ts';
import type { StatusScript } from './status-script.ts';

interface Held {
  readonly message: SentMessage;
  readonly script: StatusScript;
}

/**
 * Templates whose messages the platform holds until it knows how people like them (Meta's page "Template pacing"). It
 * then sends the messages, or drops them and pauses the template.
 */
export class Pacing {
  readonly #held = new Map<string, Held[]>();
  readonly #paused = new Set<string>();

  /** The templates by name, with the messages that wait. */
  all() {
    const held = [...this.#held].map(([template, messages]) => ({
      template,
      state: 'held',
      messages: messages.map(({ message }) => message.id),
    }));
    return [...held, ...[...this.#paused].map((template) => ({ template, state: 'paused', messages: [] }))];
  }

  isHeld(template: string): boolean {
    return this.#held.has(template);
  }

  isPaused(template: string): boolean {
    return this.#paused.has(template);
  }

  /** Messages with this template wait from now on. */
  hold(template: string): void {
    this.#paused.delete(template);
    this.#held.set(template, this.#held.get(template) ?? []);
  }

  /** Takes a message that has to wait. False if its template is not held. */
  take(template: string, held: Held): boolean {
    return this.#held.get(template)?.push(held) !== undefined;
  }

  /** The template is fine. Returns the messages that waited. */
  release(template: string): Held[] {
    const held = this.#held.get(template) ?? [];
    this.#held.delete(template);
    this.#paused.delete(template);
    return held;
  }

  /** Pauses the template. Returns the messages that waited, which are lost. */
  drop(template: string): Held[] {
    const held = this.release(template);
    this.#paused.add(template);
    return held;
  }
}

/** The name of the template of a message, or an empty text. */
export function templateOf({ type, content }: Pick<SentMessage, 'type' | 'content'>): string {
  return type === 'template' ? Object(content).name : '';
}
