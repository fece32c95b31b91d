import { isUserId } from '#shared/messages/recipient.ts';

/*
 * How texts name people: by phone number, in digits or as people write it, by user id, and inside the platform's message
 * ids, which may contain either.
 */

/** E.164 has at most this many digits, and the shortest numbers, such as those of Niue, have seven. */
const maxDigits = 15;
const isPhoneNumber = (text: string) => /^[1-9]\d{6,14}$/.test(text);

/** What stands between the digits of a number: blanks, line breaks, hyphens, parentheses, dots, slashes. */
const separator = String.raw`[\s\u0085\p{Pd}\u02d7\u2043\u2212\u30fc().·/\u2044\u2215]`;

const written = new RegExp(String.raw`^\(?\+?(?:\d|${separator})+$`, 'u');

/** Digits that may belong together. */
const runs = new RegExp(String.raw`\d+(?:${separator}{1,4}\d+)*`, 'gu');
const separators = new RegExp(`${separator}+`, 'gu');

/** Where one number may end and another begin, although a line break also stands within numbers. */
const breaks = /[\n\r\u0085\u2028\u2029]+|\.\s/u;

const userIds = /(?<![\w.])[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}(?!\w)/g;
const messageIds = /wa[mc]id\.([\w+/=-]+)/g;

/** The digits of a phone number with its country code, in any written form; `undefined` for anything else. */
export function phoneNumberOf(text: string): string | undefined {
  const plain = plainText(text).trim();
  if (!written.test(plain)) return undefined;
  const digits = withoutPrefix(digitsOf(plain));
  return isPhoneNumber(digits) ? digits : undefined;
}

/** A phone number in any written form, or a user id; `undefined` for anything else. */
export function contactId(text: string): string | undefined {
  const plain = plainText(text).trim();
  return isUserId(plain) ? plain : phoneNumberOf(plain);
}

/** The user ids that a text names, and everything that may be a phone number in it. */
export function* idsIn(text: string): Generator<string> {
  const found: string[] = [];
  const rest = plainText(text)
    .replace(messageIds, (_, encoded: string) => {
      found.push(...idsInMessageId(encoded));
      return 'x';
    })
    .replace(userIds, (id) => {
      found.push(id);
      return 'x';
    });
  yield* found;
  for (const [run] of rest.matchAll(runs)) yield* numbersIn(run);
}

/**
 * A message id has the length in front of what it contains, and a random part of digits and letters. In older ones, and in
 * Meta's examples of calls, the number has two digits in each byte, and an F where their count is odd.
 */
function idsInMessageId(encoded: string): string[] {
  const bytes = Buffer.from(encoded, 'base64');
  const content = bytes.toString('latin1');
  const [, size, packed = ''] = /^[08]011[08]([4-8])(\d+)/.exec(bytes.toString('hex')) ?? [];
  const digits = packed.slice(0, 2 * Number(size));
  return [
    ...(content.match(userIds) ?? []),
    ...(content.match(/(?<![0-9A-Za-z.])\d{7,15}(?![0-9A-Za-z])/g) ?? []),
    ...(digits.length >= 2 * Number(size) - 1 && isPhoneNumber(digits) ? [digits] : []),
  ];
}

/**
 * The numbers that a run of digits may be. Digits that can be one number are one, so that nobody is found by a part of
 * somebody else's number: only a line break or the end of a sentence may separate two. Too many digits are several
 * numbers.
 */
function* numbersIn(run: string): Generator<string> {
  const parts = run.split(digitsOf(run).length > maxDigits ? separators : breaks).map(digitsOf);
  for (const first of parts.keys()) {
    let digits = '';
    for (const part of parts.slice(first)) {
      digits += part;
      const number = withoutPrefix(digits);
      if (number.length > maxDigits) break;
      yield number;
    }
  }
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Without what people dial in front of a country code; no country code begins with a zero. */
const withoutPrefix = (digits: string) => digits.replace(/^(?:00|011)(?=[1-9])/, '');

const escaped: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * The text with plain digits and without what readers do not see. Escapes are those of JSON that was cut off, as in the
 * beginning of a receiver's response. A zero in parentheses is dialled only within the country.
 */
function plainText(text: string): string {
  const unescaped = text.includes('\\')
    ? text.replace(/\\+(?:u([\da-fA-F]{4})|(.))/gs, (_, code?: string, character = '') =>
        code ? String.fromCharCode(Number.parseInt(code, 16)) : (escaped[character] ?? character),
      )
    : text;
  return plainCharacters(unescaped).replace(/\(\s*0\s*\)/g, ' ');
}

function plainCharacters(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(/\u20e3|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/(?!\d)\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** Every script has its ten digits in a row. */
function digitValue(codePoint: number): number {
  let zero = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return (codePoint - zero) % 10;
}
