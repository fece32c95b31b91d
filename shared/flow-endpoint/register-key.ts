import { ServiceError } from '#shared/base/service-error.ts';
import type { PhoneNumber } from '#shared/webhooks/number.ts';
import type { UpstreamEncryption } from './encryption-graph.ts';
import { type FlowKey, fingerprint, publicKeyOf } from './flow-key.ts';

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
