import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { isFictional, type Originals, phoneDigits } from './ids.ts';
import { isEdge } from './paths.ts';
import { type Entry, isExchange, type Json, type RecordedBody, type RecordedField } from './recording.ts';
import { TextSearch } from './text-search.ts';

/** An original that is left in a redacted entry. */
export interface Leak {
  /** Its place among the entries. */
  readonly entry: number;
  /** Where it stands, such as `event.entry[0].id`. It never shows the original. */
  readonly place: string;
}

/** Shorter texts occur by chance. */
const minTextLength = 4;
/** Digits as long as this count even if other digits surround them. */
const longDigits = 10;

/** Whether a text shows an original. */
type Check = (text: string) => boolean;

/**
 * Looks for the originals in redacted entries: as they were, in another case or another form of Unicode, and in texts
 * that are percent-encoded, escaped, or in base64 or hexadecimal digits; numbers with any punctuation. It looks where
 * an entry shows what a person or a program supplied, and not at the words of the format.
 */
export function findLeaks(entries: readonly Entry[], originals: Originals): Leak[] {
  const shows = checkFor(originals);
  return entries.flatMap((entry, index) => leaksIn(entry, shows).map((place) => ({ entry: index, place })));
}

function checkFor(originals: Originals): Check {
  const texts = [...originals.texts]
    .map(normal)
    .filter((text) => text.length >= minTextLength && phoneDigits(text) === undefined)
    .filter((text) => !originals.kept.has(text) && !replacement.test(text));
  const textSearch = new TextSearch(texts);
  const numbers = new Set([...originals.digits].filter((digits) => !isFictional(digits)));
  const longNumbers = new TextSearch([...numbers].filter(({ length }) => length >= longDigits));
  const isShortNumber = (digits: string) => numbers.has(digits) && !originals.kept.has(digits);

  function isLeft(reading: string): boolean {
    if (textSearch.some(reading, (text, at) => countsAt(reading, text, at))) return true;
    if ((reading.match(/\d+/g) ?? []).some(isShortNumber)) return true;
    return longNumbers.some(reading.replaceAll(/[\s().+/-]/g, ''), () => true);
  }

  // Most texts occur often, such as the names of members.
  const checked = new Map<string, boolean>();
  return (text) => {
    const result = checked.get(text) ?? readingsOf(text).some(isLeft);
    checked.set(text, result);
    return result;
  };
}

function leaksIn(entry: Entry, shows: Check): string[] {
  if (!isExchange(entry)) return leaksInValue(entry.event, 'event', shows);
  const { request, response } = entry;
  const ids = request.path.split('/').filter((segment) => !isEdge(segment));
  return [
    ...(ids.some(shows) ? ['request.path'] : []),
    ...leaksInValue(request.query, 'request.query', shows),
    ...leaksInBody(request.body, 'request.body', shows),
    ...leaksInBody(response.body, 'response.body', shows),
  ];
}

function leaksInBody({ json, form = [], bytes }: RecordedBody = {}, place: string, shows: Check): string[] {
  return [
    ...leaksInValue(json, `${place}.json`, shows),
    ...form.flatMap((field, index) => leaksInField(field, `${place}.form[${index}]`, shows)),
    ...leaksInValue(bytes?.type, `${place}.bytes.type`, shows),
  ];
}

function leaksInField({ name, value, file }: RecordedField, place: string, shows: Check): string[] {
  return [
    ...leaksInValue(name, `${place}.name`, shows),
    ...leaksInValue(value, `${place}.value`, shows),
    ...leaksInValue(file?.type, `${place}.file.type`, shows),
    ...leaksInValue(file?.json, `${place}.file.json`, shows),
  ];
}

/** The places of a value that show an original. What is below a name that does has no place that could be named. */
function leaksInValue(value: Json, place: string, shows: Check): string[] {
  if (typeof value === 'string' || typeof value === 'number') return shows(String(value)) ? [place] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => leaksInValue(item, `${place}[${index}]`, shows));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    shows(name) ? [`a name in ${place}`] : leaksInValue(member, `${place}.${name}`, shows),
  );
}

/** What replacements consist of: to find it in one says nothing about an original that is the same. */
const replacement = /^(?:text \d{1,6})?(?:\s?x)*\s?$|^2000(?:-01){0,2}$|^(?:name_|link-)\d{1,6}$|^a+$/;

const normal = (text: string) => text.normalize('NFKC').toLowerCase();

/** A short text or a single word counts only as a word of its own. */
function countsAt(reading: string, text: string, at: number): boolean {
  if (text.length >= 12 && !/^[a-z_]+$/.test(text)) return true;
  const around = [reading[at - 1], reading[at + text.length]];
  return !around.some((character = ' ') => /[\p{L}\p{N}_]/u.test(character));
}

/** All texts and names of members. */
function textsOf(value: Json): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isObject(value) ? Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)]) : [];
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
    ...(nested === undefined ? [] : textsOf(nested)),
    ...(text.includes('%') ? [text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => fromHex(run.replaceAll('%', '')))] : []),
    ...(text.includes('\\u') ? [text.replaceAll(/\\u([\da-f]{4})/gi, (_, code) => fromCode(code))] : []),
    ...([...text.matchAll(/&#(?:x([\da-f]+)|(\d+));/gi)].length > 0
      ? [
          text.replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex, decimal) =>
            fromCode(hex ?? Number(decimal).toString(16)),
          ),
        ]
      : []),
    ...[...text.matchAll(/(?:[\da-f]{2}){4,}/gi)].map(([run]) => readable(fromHex(run))),
    ...[...text.matchAll(/[\w+/-]{8,}/g)].flatMap(([run]) =>
      [0, 1, 2, 3].map((offset) => readable(Buffer.from(run.slice(offset), 'base64').toString('utf8'))),
    ),
  ].filter((one) => one !== '');
}

const fromHex = (hex: string) => Buffer.from(hex, 'hex').toString('utf8');

const fromCode = (hex: string) => {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

/** The readable parts of decoded bytes. Among bytes that are no text, shorter ones occur by chance. */
function readable(text: string): string {
  const parts = text.split(/[\p{Cc}\uFFFD]+/u).filter((part) => part !== '');
  return parts.length === 1 ? text : parts.filter(({ length }) => length >= 8).join(' ');
}
