import * as z from 'zod/mini';

const statusNameSchema = z.enum(['sent', 'delivered', 'read', 'played', 'failed']);

const stepSchema = z.strictObject({
  status: statusNameSchema,
  /** Of a `failed` status. */
  code: z.optional(z.int()),
  /** After the step before it. */
  after_ms: z.optional(z.int().check(z.gte(0), z.lte(86_400_000))),
});

/** The statuses that a message gets, one after another: names, or objects with a code or a delay. */
export const statusScriptSchema = z.array(
  z.union([
    stepSchema,
    z.pipe(
      statusNameSchema,
      z.transform((status): z.infer<typeof stepSchema> => ({ status })),
    ),
  ]),
);

export type StatusStep = z.infer<typeof stepSchema>;
export type StatusScript = readonly StatusStep[];

/** Which script each message gets: one that waits for the next message, one of its contact, or the general one. */
export class StatusScripts {
  readonly #next: StatusScript[] = [];
  readonly #ofContacts = new Map<string, StatusScript>();

  addForNext(script: StatusScript): void {
    this.#next.push(script);
  }

  setFor(contact: string, script: StatusScript): void {
    this.#ofContacts.set(contact, script);
  }

  clear(): void {
    this.#next.length = 0;
    this.#ofContacts.clear();
  }

  take(contact: string, general: StatusScript): StatusScript {
    return this.#next.shift() ?? this.#ofContacts.get(contact) ?? general;
  }

  all() {
    return { next: this.#next, contacts: Object.fromEntries(this.#ofContacts) };
  }
}
