import { randomUUID } from 'node:crypto';
import type { Clock } from './time.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Creates a UUIDv7 (RFC 9562). Later ids sort after earlier ones; lists rely on that. */
export const newId = idsBy(() => Date.now());

/** The four digits of version and counter, with a counter of 0. */
const version7 = 0x7000;
const maxCounter = 0xfff;

/**
 * Makes the source of ids. Those of one millisecond differ in a counter before their random bits; when it is full, the
 * time of the ids goes on before the clock. The random bits come from `randomUUID`, because Node asks the system for
 * those of many ids at once.
 */
export function idsBy(now: Clock): () => string {
  let timeMs = 0;
  let counter = 0;

  function advance(random: string): void {
    const nowMs = now();
    if (nowMs > timeMs) {
      timeMs = nowMs;
      // Half of the numbers at least remain for further ids of this millisecond.
      counter = Number.parseInt(random.slice(0, 3), 16) >> 1;
    } else if (counter < maxCounter) {
      counter++;
    } else {
      timeMs++;
      counter = 0;
    }
  }

  return () => {
    const random = randomUUID();
    advance(random);
    const time = timeMs.toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-${(version7 | counter).toString(16)}${random.slice(18)}`;
  };
}

/** When the UUIDv7 was created, in epoch milliseconds. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Returns the canonical (lower-case) form of a UUID of any version, or `undefined` if `text` is not a UUID. */
export function parseUuid(text: string | undefined): string | undefined {
  const candidate = text?.toLowerCase();
  return candidate !== undefined && uuid.test(candidate) ? candidate : undefined;
}
