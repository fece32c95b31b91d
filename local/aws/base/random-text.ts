import { randomFillSync } from 'node:crypto';

const supply = Buffer.alloc(4096);
let used = supply.length;

/**
 * Encodes this many random bytes. They come from a supply: asking the system takes as long for one byte as for many.
 */
export function randomText(bytes: number, encoding: 'hex' | 'base64url'): string {
  if (used + bytes > supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  used += bytes;
  return supply.toString(encoding, used - bytes, used);
}
