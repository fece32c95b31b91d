import { createHash, randomInt } from 'node:crypto';

/** A preview of a Flow as it is stored. */
export interface PreviewRecord {
  id: string;
  workspace: string;
  flow: string;
  /** The number whose public key stands for the phone's side. */
  number: string;
  /** See {@link hashSecret}; the secret itself is shown once. */
  secret_hash: string;
  /** The Flow's preview generation when this was made. */
  generation: number;
  /** Epoch milliseconds. */
  valid_until: number;
  created_at: number;
}

/** Hours of validity for each value of `valid_until` (specification, Limits). */
const validityHours = { 1: 1, 2: 2, 3: 4, 4: 8, 5: 16, 6: 24 } as const;

const isValidity = (value: number): value is keyof typeof validityHours => Object.hasOwn(validityHours, value);

/** When a preview made at `now` ends, for the `valid_until` (1 to 6) of the request. */
export function validUntil(choice: number, now: number): number {
  if (!isValidity(choice)) throw new RangeError(`No such validity: ${choice}`);
  return now + validityHours[choice] * 3_600_000;
}

/** Six digits, each code equally likely. */
export const createSecret = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** SHA-256 of the secret, bound to its preview, in hex. */
export function hashSecret(preview: string, secret: string): string {
  return createHash('sha256').update(`${preview}:${secret}`).digest('hex');
}
