import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

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
  /** How many wrong secrets were tried. */
  wrong_tries?: number;
  /** {@link hashSession} of each session that the right secret has opened. */
  sessions?: ReadonlySet<string>;
}

/** After so many wrong secrets a preview opens to no further one. */
export const maxWrongTries = 10;

export const isLocked = ({ wrong_tries = 0 }: PreviewRecord): boolean => wrong_tries >= maxWrongTries;

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

/** Whether it is the preview's secret; takes the same time for every guess. */
export function isSecretOf({ id, secret_hash }: PreviewRecord, guess: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(id, guess), 'hex'), Buffer.from(secret_hash, 'hex'));
}

/** What a browser keeps once it has shown the secret: 256 random bits. */
export const createSession = (): string => randomBytes(32).toString('base64url');

/** SHA-256 of the session, bound to its preview, in base64url. */
export function hashSession(preview: string, session: string): string {
  return createHash('sha256').update(`${preview}:session:${session}`).digest('base64url');
}
