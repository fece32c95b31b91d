import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { hourMs } from '#shared/base/time.ts';
import { type FlowRecord, isLive, type LiveFlow } from '#shared/flows/flow.ts';

export interface PreviewRecord {
  id: string;
  workspace: string;
  flow: string;
  /** The number whose public key encrypts the requests of the simulated phone. */
  number: string;
  /** See {@link hashSecret}. The service shows the secret itself once. */
  secret_hash: string;
  /** The Flow's preview generation when the preview was made. */
  generation: number;
  /** Epoch milliseconds. */
  valid_until: number;
  created_at: number;
  /** The number of wrong secrets that were tried. Those of a client are counted in `wrong_tries:…`, too. */
  wrong_tries?: number;
  [triesOfClient: `wrong_tries:${string}`]: number | undefined;
  /**
   * The cookie of browsers that have shown the secret: 256 random bits, the same for all of them. It is stored
   * unhashed, because anyone who can read the table can also try all secrets.
   */
  session: string;
}

/** The flow token that identifies the preview in requests to the endpoint and in the Flow's final response. */
export const flowTokenOf = (preview: string): string => `preview-${preview}`;

/** The preview is locked for a client after this many wrong secrets, so that nobody can lock it for all others. */
export const maxWrongTries = 10;

/** It is locked for everybody after this many. Together they guess one secret in ten thousand. */
export const maxWrongTriesOfAll = 100;

export const isLocked = (preview: PreviewRecord, address: string): boolean =>
  (preview.wrong_tries ?? 0) >= maxWrongTriesOfAll ||
  (preview[triesAttribute(preview.id, address)] ?? 0) >= maxWrongTries;

/** The attribute that counts the wrong secrets of a client, by a hash of its address. */
export function triesAttribute(preview: string, address: string): `wrong_tries:${string}` {
  const hash = createHash('sha256')
    .update(`${preview}:${networkOf(address)}`)
    .digest('hex');
  return `wrong_tries:${hash.slice(0, 16)}`;
}

/** The address of a client with IPv4, and the /64 network that one with IPv6 usually has for itself. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head.split(':'), tail.split(':')];
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = address.includes('::') ? [...before, ...zeros, ...after] : before;
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16))
    .join(':');
}

/** Hours of validity for each value of `valid_until`, from 1 to 6. */
const validityHours = [1, 2, 4, 8, 16, 24];

/** When a preview that is made at `now` expires, for the request's `valid_until`. */
export function validUntil(choice: number, now: number): number {
  return now + (validityHours[choice - 1] ?? 0) * hourMs;
}

/** Whether the preview still works: it has not expired or been invalidated by a newer one, and its Flow exists. */
export const worksWith = (
  flow: FlowRecord | undefined,
  { valid_until, generation }: PreviewRecord,
  now: number,
): flow is LiveFlow =>
  valid_until > now && flow !== undefined && isLive(flow) && flow.preview_generation === generation;

/** Creates a secret of six digits; all codes are equally likely. */
export const createSecret = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** SHA-256 of the secret, bound to its preview, in hex. */
export function hashSecret(preview: string, secret: string): string {
  return createHash('sha256').update(`${preview}:${secret}`).digest('hex');
}

/** Returns whether the text has the form of a secret; anything else is not a guess. */
export const isSecretShaped = (text: string): boolean => /^\d{6}$/.test(text);

export const createSession = (): string => randomBytes(32).toString('base64url');

/**
 * Returns whether the browser with this cookie has shown the secret. The comparison takes the same time for every
 * session of the right length.
 */
export function isUnlocked({ session }: PreviewRecord, shown = ''): boolean {
  const [mine, theirs] = [Buffer.from(session), Buffer.from(shown)];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
}

/**
 * Names the cookie that keeps a preview open in one browser. The name contains the preview's id, because several
 * previews may be open in parallel and `__Host-` cookies (RFC 6265bis) are not bound to a path. Without https, as in
 * the local world, browsers accept neither that prefix nor `Secure`.
 */
export const sessionCookieName = (preview: string, baseUrl: string): string =>
  `${isSecure(baseUrl) ? '__Host-' : ''}preview-${preview}`;

/** Returns the value of `Set-Cookie`. The cookie expires with its preview. */
export function sessionCookie(
  { id, session, valid_until }: PreviewRecord,
  { baseUrl, now }: { baseUrl: string; now: number },
): string {
  const seconds = Math.max(0, Math.floor((valid_until - now) / 1000));
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  if (isSecure(baseUrl)) attributes.push('Secure');
  return [`${sessionCookieName(id, baseUrl)}=${session}`, ...attributes].join('; ');
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
