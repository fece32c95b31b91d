import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { BoundedMap } from '#shared/base/cache.ts';

/** A receiver's signing secret as users see it: the key in base64 after a prefix. */
export type SigningSecret = `whsec_${string}`;

export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

export interface SignedContent {
  /** The same for every attempt of a delivery. */
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  /** Exactly the bytes that are sent. */
  readonly body: Buffer | string;
  /** Newest first. After a rotation, the previous secret signs as well. */
  readonly secrets: readonly string[];
}

const secretPrefix = 'whsec_';

export function createSecret(): SigningSecret {
  return `${secretPrefix}${randomBytes(32).toString('base64')}`;
}

/** The headers of a signed webhook (Standard Webhooks 1.0.0, symmetric signatures). Throws when no secret is given. */
export function signatureHeaders({ id, timestamp, body, secrets }: SignedContent): SignatureHeaders {
  if (secrets.length === 0) throw new Error('A webhook needs a secret to be signed with');
  const signatures = secrets.map((secret) =>
    createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64'),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
}

const keyOf = hmacKeys((secret) => {
  const key = Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');
  if (key.length === 0) throw new Error('A signing secret is empty');
  return key;
});

/**
 * Remembers the keys that `bytesOf` derives from secrets, for the most recently used ones. An HMAC takes 2 µs with a
 * remembered key, and 19 µs with the bytes of one.
 */
export function hmacKeys(bytesOf: (secret: string) => Buffer): (secret: string) => KeyObject {
  const keys = new BoundedMap<string, KeyObject>(500);
  const createKey = (secret: string) => createSecretKey(bytesOf(secret));
  return (secret) => keys.getOrInsertComputed(secret, createKey);
}

/** The signing secrets of a subscriber. Notifications carry one signature for each valid secret. */
export interface SigningSecrets {
  current: string;
  /** The previous secrets, newest first; some may have expired. */
  replaced?: readonly ReplacedSecret[];
}

export interface ReplacedSecret {
  secret: string;
  /** The secret signs alongside the current one until this time, in epoch milliseconds. */
  valid_until: number;
}

/** The previous secrets that still sign, newest first. */
export function stillValid({ replaced = [] }: SigningSecrets, now: number): ReplacedSecret[] {
  return replaced.filter(({ valid_until }) => valid_until > now);
}

/** The secrets that sign now, newest first. */
export function validSecrets(secrets: SigningSecrets, now: number): string[] {
  return [secrets.current, ...stillValid(secrets, now).map(({ secret }) => secret)];
}
