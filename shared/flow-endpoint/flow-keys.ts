import { createHash, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceError } from '#shared/base/service-error.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { UpstreamEncryption } from './encryption-graph.ts';
import type { FlowKey, FlowKeyStore } from './flow-key-store.ts';

/** The registered key and the one before it, which phones may still use. */
export const keysKept = 2;

/** Creates an RSA key of 2048 bits, the only kind that the upstream accepts. */
export async function createFlowKey(now: number): Promise<FlowKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), created_at: now };
}

/** The public half: SPKI, PEM. */
export function publicKeyOf({ private_key }: FlowKey): string {
  return String(createPublicKey(private_key).export({ type: 'spki', format: 'pem' }));
}

/**
 * The SHA-256 of a public key (SPKI, DER) in hex, independent of how its PEM is wrapped; `undefined` when it is not a
 * key.
 */
export function fingerprint(publicKey: string | KeyObject): string | undefined {
  try {
    const key = typeof publicKey === 'string' ? createPublicKey(publicKey) : publicKey;
    return createHash('sha256')
      .update(key.export({ type: 'spki', format: 'der' }))
      .digest('hex');
  } catch {
    return undefined;
  }
}

export interface KeyContext {
  flowKeys: FlowKeyStore;
  now: Clock;
}

/** Reads the keys of a workspace, newest first, and creates the first key if there is none. */
export async function ensureKeys(workspace: string, { flowKeys, now }: KeyContext): Promise<readonly FlowKey[]> {
  const ring = await flowKeys.read(workspace);
  if (ring.keys.length > 0) return ring.keys;
  const keys = [await createFlowKey(now())];
  if (await flowKeys.replace(workspace, ring, keys)) return keys;
  const { keys: others } = await flowKeys.read(workspace);
  if (others.length === 0) throw conflict();
  return others;
}

/** Adds a new key. The current one stays valid for phones that still use it; older keys are removed. */
export async function rotateKeys(workspace: string, { flowKeys, now }: KeyContext): Promise<readonly FlowKey[]> {
  const ring = await flowKeys.read(workspace);
  const keys = [await createFlowKey(now()), ...ring.keys].slice(0, keysKept);
  if (!(await flowKeys.replace(workspace, ring, keys))) throw conflict();
  return keys;
}

const conflict = () => new Error('Another request changed the keys of the workspace at the same time');

/** How the key that the upstream has for a number relates to the workspace's keys. */
export type Registration = 'current' | 'previous' | 'mismatch' | 'foreign' | 'none' | 'unknown-number';

/** Asks the upstream which key a number has. `mismatch` is our key, but the number was registered again since. */
export async function readRegistration(
  { phone_number_id }: PhoneNumber,
  keys: readonly FlowKey[],
  encryption: UpstreamEncryption,
): Promise<Registration> {
  const registered = await encryption.registeredKey(phone_number_id);
  if (typeof registered === 'string') return registered;
  const registeredFingerprint = fingerprint(registered.publicKey);
  const position = keys.findIndex((key) => fingerprint(publicKeyOf(key)) === registeredFingerprint);
  if (position < 0) return 'foreign';
  if (registered.signatureStatus === 'MISMATCH') return 'mismatch';
  return position === 0 ? 'current' : 'previous';
}

/**
 * Registers the current key for these numbers where it is not registered yet, so that phones encrypt with it. A foreign
 * key stays, because replacing it would break the Flows of its owner. A failure of one number does not affect the
 * others.
 *
 * @throws ServiceError `flow-endpoint.foreign-key` for a foreign key, `flow-endpoint.unknown-number` for a number
 *   that the upstream does not know
 */
export async function ensureRegistered(
  numbers: readonly PhoneNumber[],
  keys: readonly FlowKey[],
  encryption: UpstreamEncryption,
): Promise<void> {
  const outcomes = await Promise.allSettled(numbers.map((number) => ensureOne(number, keys, encryption)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

async function ensureOne(number: PhoneNumber, keys: readonly FlowKey[], encryption: UpstreamEncryption): Promise<void> {
  const registration = await readRegistration(number, keys, encryption);
  if (registration === 'current') return;
  const values = { number: number.display_phone_number, id: number.id };
  if (registration === 'foreign') throw new ServiceError('flow-endpoint.foreign-key', { values });
  if (registration === 'unknown-number') throw new ServiceError('flow-endpoint.unknown-number', { values });
  await registerKey(number, keys, encryption);
}

/** Registers the workspace's newest key for a number, in place of the number's current key. */
export async function registerKey(
  { phone_number_id }: PhoneNumber,
  [newest]: readonly FlowKey[],
  encryption: UpstreamEncryption,
): Promise<void> {
  if (!newest) throw new Error('There is no key to register');
  await encryption.register(phone_number_id, publicKeyOf(newest));
}

/** Reads the private keys of a workspace, newest first, from a cache that is at most `maxAgeMs` old. */
export type PrivateKeysReader = (workspace: string, maxAgeMs: number) => Promise<readonly KeyObject[]>;

/**
 * Keys are cached for `keysKeptMs`. If no key fits, they may have been rotated in the meantime, so they are read again
 * unless they are younger than `keysFreshMs`.
 */
export const keysKeptMs = 5 * minuteMs;
const keysFreshMs = 1_000;

/** Opens something with the keys of a workspace; `undefined` if none of them fits. */
export async function openWithKeys<T>(
  workspace: string,
  privateKeys: PrivateKeysReader,
  open: (keys: readonly KeyObject[]) => T | undefined,
): Promise<T | undefined> {
  const keys = await privateKeys(workspace, keysKeptMs);
  const opened = open(keys);
  if (opened !== undefined) return opened;
  const fresh = await privateKeys(workspace, keysFreshMs);
  return fresh === keys ? undefined : open(fresh);
}
