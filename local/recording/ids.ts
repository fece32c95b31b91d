import { createHmac, randomBytes } from 'node:crypto';

/** What a recording had before it was redacted. Whatever is here may not be left in the result. */
export class Originals {
  readonly texts = new Set<string>();
  /** Also the digits of phone numbers, however they were written. */
  readonly digits = new Set<string>();
  /** What stays or stands in for something, and its words, in lower case: no leak, even if a person has the same name. */
  readonly kept = new Set<string>(['example', 'https', 'link', 'name', 'redacted', 'text']);

  add(original: string): void {
    this.texts.add(original);
    const digits = phoneDigits(original);
    if (digits !== undefined) this.digits.add(digits);
  }

  /** Notes a text that may stand in the result. Returns it. */
  keep(text: string): string {
    const lower = text.toLowerCase();
    if (!this.kept.has(lower)) for (const word of [lower, ...wordsOf(lower)]) this.kept.add(word);
    return text;
  }
}

/** A time of these years in seconds. No phone number is written like this, with its country code. */
export const isUnixTime = (text: string) => /^1[4-9]\d{8}$/.test(text);

/** The words of a text in lower case. */
const wordsOf = (text: string): string[] => text.split(/[^a-z]+/);

/** The digits of a text that may be a phone number, or an id of digits only. */
export function phoneDigits(text: string): string | undefined {
  const digits = text.replace(/[\s()+./-]/gu, '');
  return /^\d{7,25}$/.test(digits) ? digits : undefined;
}

/** Whether digits look like those that replace others. They belong to nobody, and may be part of a replacement. */
export const isFictional = (digits: string): boolean => /^(?:15550{3,}\d*|10{4,}\d{1,5})$/.test(digits);

const wamid = /^(wamid|wacid)\.([A-Za-z0-9+/=_-]+)$/;
/** A business-scoped user id: country, an optional part, and letters or digits. */
const userId = /^([A-Z]{2}\.(?:ENT\.)?)(\w+)$/;

/**
 * Replaces ids by others of the same form: the same original always gets the same replacement, and a phone number also
 * inside a message id. Replacements follow from a key that ends with the process, or from counting, so nothing leads
 * back.
 */
export class Ids {
  readonly #originals: Originals;
  readonly #key = randomBytes(32);
  readonly #digits = new Map<string, string>();
  readonly #words = new Map<string, string>();
  #counter = 0;

  constructor(originals: Originals) {
    this.#originals = originals;
  }

  /** An id or a phone number in any of the platform's forms. */
  id(original: string): string {
    this.#originals.add(original);
    const [, prefix, encoded] = wamid.exec(original) ?? [];
    if (prefix !== undefined && encoded !== undefined) return `${prefix}.${this.#messageId(encoded)}`;
    const digits = phoneDigits(original);
    if (digits !== undefined) return reformat(original, this.digits(digits));
    const [, country, rest] = userId.exec(original) ?? [];
    if (country !== undefined && rest !== undefined) return country + this.#scrambled(rest);
    return this.#scrambled(original);
  }

  /** Fictional digits of the same length: numbers beginning with 1555 belong to nobody. */
  digits(original: string): string {
    this.#originals.digits.add(original);
    const replaced = this.#digits.get(original);
    if (replaced !== undefined) return replaced;
    let next: string;
    do {
      this.#counter++;
      const start = original.length > 10 ? '1555' : '1';
      next = start + String(this.#counter).padStart(original.length - start.length, '0');
    } while (this.#originals.digits.has(next));
    this.#digits.set(original, next);
    return next;
  }

  /** A text that is the same for the same original, of the same length unless that is too short. */
  text(original: string): string {
    if (original === '') return '';
    if (isUnixTime(original)) this.#originals.texts.add(original);
    else this.#originals.add(original);
    const text = this.#word(original, (number) => `Text ${number}`);
    return text.padEnd(original.length, ' x');
  }

  /** A lower-case identifier. */
  identifier(original: string): string {
    this.#originals.add(original);
    return this.#word(original, (number) => `name_${number}`);
  }

  link(original: string): string {
    this.#originals.add(original);
    return this.#word(original, (number) => `https://redacted.example/link-${number}`);
  }

  /** Other bytes or letters of the same form. */
  hash(original: string): string {
    this.#originals.add(original);
    return this.#scrambled(original);
  }

  #word(original: string, make: (number: number) => string): string {
    const kept = this.#words.get(original) ?? make(this.#words.size + 1);
    this.#words.set(original, kept);
    return kept;
  }

  /** The number and the random part change; what frames them stays. An id of another make changes as a whole. */
  #messageId(encoded: string): string {
    const isUrl = /[-_]/.test(encoded);
    const bytes = Buffer.from(encoded, 'base64');
    const text = bytes.toString('latin1');
    const changed = text
      .replaceAll(/[0-9A-F]{16,}/g, (random) => this.#scrambled(random, '0123456789ABCDEF'))
      .replaceAll(/(?<![0-9A-F])\d{7,25}(?![0-9A-F])/g, (digits) => this.digits(digits));
    const result = changed === text ? this.#bytes(bytes) : Buffer.from(changed, 'latin1');
    const base64 = result.toString(isUrl ? 'base64url' : 'base64');
    return encoded.endsWith('=') ? base64 : base64.replace(/=+$/, '');
  }

  #bytes(original: Buffer): Buffer {
    const blocks = Math.ceil(original.length / 32);
    const stream = Array.from({ length: blocks }, (_, block) => this.#hmac(`${block} ${original.toString('base64')}`));
    return Buffer.concat(stream).subarray(0, original.length);
  }

  /** Each letter and digit becomes another one of its kind; a prefix of the service's own, such as `msgf_`, stays. */
  #scrambled(original: string, alphabet?: string): string {
    const [prefix = ''] = /^[a-z]{2,6}_/.exec(original) ?? [];
    const rest = original.slice(prefix.length);
    const random = this.#bytes(Buffer.from(original.padEnd(rest.length, ' ')));
    const pick = (letters: string, index: number) =>
      letters[(random[index % random.length] ?? 0) % letters.length] ?? '';
    const replaced = [...rest].map((character, index) => {
      if (alphabet !== undefined) return pick(alphabet, index);
      if (/\d/.test(character)) return pick('0123456789', index);
      if (/[A-Z]/.test(character)) return pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ', index);
      return /[\w.:\-/=+]/.test(character) && !/[a-z]/.test(character)
        ? character
        : pick('abcdefghijklmnopqrstuvwxyz', index);
    });
    return prefix + replaced.join('');
  }

  #hmac(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

/** Puts the digits where those of the original were: `+1 555-010-0001` keeps its signs. */
function reformat(original: string, digits: string): string {
  let index = 0;
  return original.replaceAll(/\d/g, () => digits[index++] ?? '');
}
