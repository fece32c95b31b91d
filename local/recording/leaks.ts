import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { type Originals, phoneDigits } from './ids.ts';
import type { Entry, Json } from './recording.ts';

/** An original that is left in a redacted entry. */
export interface Leak {
  /** Its place among the entries. */
  readonly entry: number;
  /** Where it stands, such as `event.entry[0].id`. It never shows the original. */
  readonly place: string;
}

/** Shorter texts occur by chance. */
const minTextLength = 4;

/**
 * Looks for the originals in redacted entries: as they were, in another case or another form of Unicode, and in texts
 * that are percent-encoded, escaped, or in base64 or hexadecimal digits; numbers with any punctuation.
 */
export function findLeaks(entries: readonly Entry[], originals: Originals): Leak[] {
  const texts = [...originals.texts]
    .map(normal)
    .filter((text) => text.length >= minTextLength && phoneDigits(text) === undefined)
    .filter((text) => !originals.kept.has(text) && !replacement.test(text));
  const numbers = [...originals.digits];
  const isLeft = (reading: string) => {
    const bare = reading.replaceAll(/[\s().+/-]/g, '');
    return texts.some((text) => occurs(reading, text)) || numbers.some((digits) => hasNumber(reading, bare, digits));
  };
  return entries.flatMap((entry, index) =>
    stringsOf(entry, '')
      .filter(({ text }) => readingsOf(text).some(isLeft))
      .map(({ place }) => ({ entry: index, place })),
  );
}

/** What replacements consist of: to find it in one says nothing about an original that is the same. */
const replacement = /^(?:text \d{1,6})?(?:\s?x)*\s?$|^2000(?:-01){0,2}$|^(?:name_|link-)\d{1,6}$|^a+$/;

const normal = (text: string) => text.normalize('NFKC').toLowerCase();

/** A short text or a single word counts only as a word of its own. */
function occurs(reading: string, text: string): boolean {
  if (text.length >= 12 && !/^[a-z_]+$/.test(text)) return reading.includes(text);
  for (let at = reading.indexOf(text); at >= 0; at = reading.indexOf(text, at + 1)) {
    const around = [reading.slice(0, at).at(-1), reading.slice(at + text.length).at(0)];
    if (!around.some((character = ' ') => /[\p{L}\p{N}_]/u.test(character))) return true;
  }
  return false;
}

function hasNumber(reading: string, bare: string, digits: string): boolean {
  if (digits.length >= 10) return bare.includes(digits);
  return new RegExp(`(?<!\\d)${digits}(?!\\d)`).test(reading);
}

/** All texts and names of members, with their places. */
function stringsOf(value: Json, place: string): { text: string; place: string }[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ text: String(value), place }];
  if (Array.isArray(value)) return value.flatMap((item, index) => stringsOf(item, `${place}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    { text: name, place: `a name in ${place}` },
    ...stringsOf(member, place === '' ? name : `${place}.${name}`),
  ]);
}

const maxDepth = 3;

/** What a text says, and what it says decoded. */
function readingsOf(text: string, depth = 0): string[] {
  const decoded = depth === maxDepth ? [] : decodings(text).filter((one) => one !== text);
  return [normal(text), ...decoded.flatMap((one) => readingsOf(one, depth + 1))];
}

function decodings(text: string): string[] {
  const nested = /^\s*["[{]/.test(text) ? parseJson(text) : undefined;
  return [
    ...(nested === undefined ? [] : stringsOf(nested, '').map((one) => one.text)),
    ...(text.includes('%') ? [text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => fromHex(run.replaceAll('%', '')))] : []),
    ...(text.includes('\\u') ? [text.replaceAll(/\\u([\da-f]{4})/gi, (_, code) => fromCode(code))] : []),
    ...([...text.matchAll(/&#(?:x([\da-f]+)|(\d+));/gi)].length > 0
      ? [
          text.replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex, decimal) =>
            fromCode(hex ?? Number(decimal).toString(16)),
          ),
        ]
      : []),
    ...[...text.matchAll(/(?:[\da-f]{2}){4,}/gi)].map(([run]) => fromHex(run)),
    ...[...text.matchAll(/[\w+/-]{8,}/g)].flatMap(([run]) =>
      [0, 1, 2, 3].map((offset) => readable(Buffer.from(run.slice(offset), 'base64'))),
    ),
  ].filter((one) => one !== '');
}

const fromHex = (hex: string) => Buffer.from(hex, 'hex').toString('utf8');

const fromCode = (hex: string) => {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

/** Bytes as texts: what is not text becomes a space. */
const readable = (bytes: Buffer) =>
  bytes
    .toString('utf8')
    .replaceAll(/[\p{Cc}\uFFFD]+/gu, ' ')
    .trim();
