import { parseUuid } from '#shared/base/ids.ts';
import { hashToken, isWellFormed } from '#shared/domain/accounts/token.ts';

/** A kind of value on the command line. */
export interface Parameter<T> {
  /** What help calls the value: `DIGITS`. */
  placeholder: string;
  /** Completes "must be …". */
  expected: string;
  /** The value that `text` stands for, or `undefined` when it is not what is expected. */
  parse(text: string): T | undefined;
}

const id = (placeholder: string): Parameter<string> => ({ placeholder, expected: 'a UUID', parse: parseUuid });

export const workspaceId = id('WORKSPACE');
export const userId = id('USER');
export const numberId = id('NUMBER');

/** An id of the upstream's. */
export const upstreamId: Parameter<string> = {
  placeholder: 'DIGITS',
  expected: 'digits only, 32 at most',
  parse: (text) => (/^\d{1,32}$/.test(text) ? text : undefined),
};

/** One line for people to read, such as a name. */
export function line(placeholder: string, maxLength = 100): Parameter<string> {
  return {
    placeholder,
    expected: `one line of 1 to ${maxLength} characters`,
    parse(text) {
      const trimmed = text.trim();
      const fits = trimmed.length > 0 && trimmed.length <= maxLength;
      return fits && !/\p{Cc}/u.test(trimmed) ? trimmed : undefined;
    },
  };
}

export const file: Parameter<string> = {
  placeholder: 'FILE|-',
  expected: 'a file, or - for what comes in by standard input',
  parse: (text) => (text === '' ? undefined : text),
};

export const onOrOff: Parameter<'on' | 'off'> = {
  placeholder: 'on|off',
  expected: 'on or off',
  parse: (text) => (text === 'on' || text === 'off' ? text : undefined),
};

/** Epoch milliseconds of a moment that may depend on the present one. */
type Moment = (now: number) => number;

const hour = 3_600_000;

export const moment: Parameter<Moment> = {
  placeholder: '90d|12h|2027-01-31',
  expected: 'days (90d), hours (12h) or a date (2027-01-31, which is 00:00 UTC)',
  parse(text) {
    const [, amount, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
    if (amount !== undefined) return (now) => now + Number(amount) * (unit === 'd' ? 24 * hour : hour);
    const date = parseDate(text);
    return date === undefined ? undefined : () => date;
  },
};

/** Midnight UTC of a calendar date; `undefined` for a day that no calendar has, which `Date` would move along. */
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

export const tokenReference: Parameter<TokenReference> = {
  placeholder: 'TOKEN|HASH',
  expected: 'a token, its hash or at least the first 8 digits of its hash',
  parse(text) {
    if (isWellFormed(text)) return { hash: hashToken(text), complete: true };
    const hash = text.toLowerCase();
    return /^[0-9a-f]{8,64}$/.test(hash) ? { hash, complete: hash.length === hashLength } : undefined;
  },
};
