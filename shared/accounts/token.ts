import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const secretLength = 32;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A kind of token: a prefix, 32 random base-62 characters (190 bits) and the CRC-32 of those in base 62. Secret scanners
 * recognise tokens of such a format, and a mistyped one is rejected without a look-up.
 */
export function tokenFormat(prefix: string) {
  const shape = new RegExp(`^${prefix}[${alphabet}]{${secretLength + checksumLength}}$`);
  const withChecksum = (secret: string) => prefix + secret + checksumOf(secret);
  return {
    create: () => withChecksum(createSecret()),
    /** The token whose secret part is `secret` (32 base-62 characters). */
    withChecksum,
    hasPrefix: (text: string) => text.startsWith(prefix),
    /** Whether `text` has the prefix, alphabet, length and checksum of a token. */
    isWellFormed: (text: string) =>
      shape.test(text) && withChecksum(text.slice(prefix.length, prefix.length + secretLength)) === text,
  };
}

function createSecret(): string {
  let secret = '';
  while (secret.length < secretLength) {
    // 248 = 4 × 62: higher bytes would favour the first characters.
    for (const byte of randomBytes(secretLength)) if (byte < 248) secret += alphabet.charAt(byte % 62);
  }
  return secret.slice(0, secretLength);
}

function checksumOf(secret: string): string {
  let rest = crc32(secret);
  let checksum = '';
  for (let position = 0; position < checksumLength; position++) {
    checksum = alphabet.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}

/** The SHA-256 in hex that is stored and looked up in place of the token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A stored access token. Only its hash is stored; the token itself is shown once. */
export interface TokenRecord {
  hash: string;
  user: string;
  /** The token's purpose, so that people recognise it in a list. */
  label: string;
  /** Epoch milliseconds. */
  created_at: number;
  expires_at?: number;
}

/** The format of access tokens. */
export const { create: createToken, withChecksum, isWellFormed } = tokenFormat('msgs_');

export function isExpired(token: Pick<TokenRecord, 'expires_at'>, now: number): boolean {
  return (token.expires_at ?? Number.POSITIVE_INFINITY) <= now;
}
