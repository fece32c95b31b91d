import { v7 } from 'uuid';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Creates a UUIDv7 (RFC 9562). Later ids sort after earlier ones; lists rely on that. */
export const newId = (): string => v7();

/** Returns the canonical (lower-case) form of a UUID of any version, or `undefined` if `text` is not a UUID. */
export function parseUuid(text: string | undefined): string | undefined {
  const candidate = text?.toLowerCase();
  return candidate !== undefined && uuid.test(candidate) ? candidate : undefined;
}
