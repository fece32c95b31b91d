import { v7 } from 'uuid';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A new UUIDv7 (RFC 9562): ids made later sort later, which is what lists rely on. */
export const newId = (): string => v7();

/** The canonical (lower-case) form of a UUID of any version, or `undefined` when `text` is none. */
export function parseUuid(text: string | undefined): string | undefined {
  const candidate = text?.toLowerCase();
  return candidate !== undefined && uuid.test(candidate) ? candidate : undefined;
}
