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
  /**
   * What browsers keep that have shown the secret: 256 random bits, the same for all of them. It is kept as it is, for
   * who can read the table can try all secrets too.
   */
  session: string;
}

/** What the endpoint and the final response of a Flow that is open in this preview name it by. */
export const flowTokenOf = (preview: string): string => `preview-${preview}`;

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

/** Whether it is shaped like a secret; anything else is no guess. */
export const isSecretShaped = (text: string): boolean => /^\d{6}$/.test(text);

export const createSession = (): string => randomBytes(32).toString('base64url');

/** Whether a browser has shown the secret; takes the same time for every session of the right length. */
export function isSessionOf({ session }: PreviewRecord, shown: string): boolean {
  const [mine, theirs] = [Buffer.from(session), Buffer.from(shown)];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
}
