import type { PhoneNumber } from '../accounts/number.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type FlowKey, fingerprint, publicKeyOf } from './flow-key.ts';
import type { UpstreamEncryption } from './upstream-encryption.ts';

/** How the upstream's key of a number stands to a workspace's keys. */
export type Registration = 'current' | 'previous' | 'mismatch' | 'foreign' | 'none' | 'unknown-number';

/** Asks the upstream which key a number has. `mismatch`: ours, but the number was registered anew since. */
export async function readRegistration(
  { phone_number_id }: PhoneNumber,
  keys: readonly FlowKey[],
  encryption: UpstreamEncryption,
): Promise<Registration> {
  const registered = await encryption.registeredKey(phone_number_id);
  if (typeof registered === 'string') return registered;
  const known = fingerprint(registered.publicKey);
  const position = keys.findIndex((key) => fingerprint(publicKeyOf(key)) === known);
  if (position < 0) return 'foreign';
  if (registered.signatureStatus === 'MISMATCH') return 'mismatch';
  return position === 0 ? 'current' : 'previous';
}

/**
 * Sees to it that phones encrypt for the current key when they talk to these numbers. A key of somebody else is left
 * alone: replacing it would break the Flows whose owner holds it. A number that fails does not keep the others back.
 *
 * @throws ServiceError `refused` for such a key, or for a number that the upstream does not know
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

/** Registers the newest of a workspace's keys for a number, in place of whatever key that has. */
export async function registerKey(
  { phone_number_id }: PhoneNumber,
  [newest]: readonly FlowKey[],
  encryption: UpstreamEncryption,
): Promise<void> {
  if (!newest) throw new Error('There is no key to register');
  await encryption.register(phone_number_id, publicKeyOf(newest));
}
