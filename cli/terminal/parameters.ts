import { InvalidArgumentError } from '@commander-js/extra-typings';
import { hashToken, isWellFormed } from '#shared/accounts/token.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { dayMs, hourMs } from '#shared/base/time.ts';
import { stageName } from '#shared/operations/stage.ts';

/*
 * The kinds of value on the command line. Each function parses one and throws an InvalidArgumentError that says what
 * is expected; commander adds the option or argument and the value.
 */

export function uuid(text: string): string {
  return parseUuid(text) ?? invalid('a UUID');
}

/** An id that the platform assigned. */
export function platformId(text: string): string {
  return /^\d{1,32}$/.test(text) ? text : invalid('1 to 32 digits');
}

/** The id of a number, here or at the platform. */
export function numberReference(text: string): string {
  if (/^\d+$/.test(text)) return platformId(text);
  return parseUuid(text) ?? invalid("a UUID, or the platform's id: 1 to 32 digits");
}

/** One line for people to read, such as a name. */
export function line(maxLength = 100): (text: string) => string {
  return (text) => {
    const trimmed = text.trim();
    const fits = trimmed.length > 0 && trimmed.length <= maxLength;
    // What looks like an option was not meant as a name: `--name --local`.
    return fits && !/^--|\p{Cc}/u.test(trimmed) ? trimmed : invalid(`one line of 1 to ${maxLength} characters`);
  };
}

/** The stage of a deployment. */
export function stage(text: string): string {
  return stageName.pattern.test(text) ? text : invalid(stageName.expected);
}

/** Epoch milliseconds of a moment that may depend on the present one. */
type Moment = (now: number) => number;

export function moment(text: string): Moment {
  const [, amount, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  if (amount !== undefined) return (now) => now + Number(amount) * (unit === 'd' ? dayMs : hourMs);
  const date = parseDate(text) ?? invalid('days (90d), hours (12h) or a date (2027-01-31)');
  return () => date;
}

/** Midnight UTC of a calendar date. `Date` would turn a day that does not exist into another one. */
function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  return exists ? date.getTime() : undefined;
}

/** A token by its hash in hex: all of it or the beginning. */
export interface TokenReference {
  hash: string;
  complete: boolean;
}

const hashLength = 64;

export function tokenReference(text: string): TokenReference {
  if (isWellFormed(text)) return { hash: hashToken(text), complete: true };
  const hash = text.toLowerCase();
  if (!/^[0-9a-f]{8,64}$/.test(hash)) invalid('a token, its hash or at least the first 8 digits of its hash');
  return { hash, complete: hash.length === hashLength };
}

function invalid(expected: string): never {
  throw new InvalidArgumentError(`It must be ${expected}.`);
}
