/** Stands for what was removed. */
const mask = '***';

/** A part of a secret at the end of a text is removed if it is at least this long. */
const shortestPart = 3;

/** A character as the writer of a text meant it, and where its written form begins and ends. */
interface Character {
  text: string;
  start: number;
  end: number;
}

/**
 * Removes secrets from a text. They may be written in any case, with the escapes of JSON, JavaScript, URLs or HTML,
 * also twice. If the text was cut off at its end, the cut may have split a secret.
 *
 * @param secrets in the forms that they may have besides: {@link encodingsOf} adds some
 */
export function redact(text: string, secrets: readonly string[], isCut: boolean): string {
  const wanted = [...new Set(secrets.map(lowerCase))];
  const written = Array.from(text.split(''), (unit, at) => ({ text: lowerCase(unit), start: at, end: at + 1 }));
  const once = unescaped(written);
  const ranges = [written, once, unescaped(once)].flatMap((characters) => [
    ...wholeSecrets(characters, wanted),
    ...(isCut ? splitSecrets(characters, wanted, text.length) : []),
  ]);
  return without(ranges, text);
}

/** How many secrets were removed from a text. */
export const hiddenIn = (text: string): number => text.split(mask).length - 1;

/** Changes no length, unlike `toLowerCase`. */
const lowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns the base64 and hexadecimal forms of a secret, wherever in an encoded text it begins. */
export function encodingsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${' '.repeat(offset)}${secret}`).toString('base64');
    // The characters at both ends also hold bits of the neighbours.
    const first = Math.ceil((offset * 4) / 3);
    const last = Math.floor(((offset + secret.length) * 4) / 3);
    return encoded.slice(first, last);
  });
  const inUrls = inBase64.map((encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_'));
  return [...inBase64, ...inUrls, Buffer.from(secret).toString('hex')];
}

const escapeSequence =
  /\\u\{0*([\da-f]{1,5})\}|\\u([\da-f]{4})|\\x([\da-f]{2})|%([\da-f]{2})|&#x0*([\da-f]{1,5});|&#0*(\d{1,6});|&(amp|lt|gt|quot|apos|nbsp);|\\([\\/"'])/g;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The beginning of an escape that the cut has split. */
const splitEscape = /(?:\\(?:u(?:\{?[\da-f]{0,6})?|x[\da-f]?)?|%[\da-f]?|&(?:#?\w{0,8})?)$/;

/** Replaces each escape by the character that it stands for. The beginning of one at the end of the text vanishes. */
function unescaped(characters: readonly Character[]): Character[] {
  const text = textOf(characters);
  const result: Character[] = [];
  let done = 0;
  for (const found of text.matchAll(escapeSequence)) {
    result.push(...characters.slice(done, found.index));
    done = found.index + found[0].length;
    const [first, last] = [characters[found.index], characters[done - 1]];
    if (first && last) result.push({ text: meaningOf(found), start: first.start, end: last.end });
  }
  const end = splitEscape.exec(text)?.index ?? text.length;
  result.push(...characters.slice(done, Math.max(done, end)));
  // A text in UTF-16 has a NUL beside each character.
  return result.filter((character) => character.text !== '\0');
}

function meaningOf([, braces, u, x, percent, hexEntity, entity, name, itself]: RegExpMatchArray): string {
  const hex = braces ?? u ?? x ?? percent ?? hexEntity;
  const code = hex === undefined ? entity && Number(entity) : Number.parseInt(hex, 16);
  if (code !== undefined && code !== '') return lowerCase(String.fromCharCode(code));
  return itself ?? entities[name ?? ''] ?? '\ufffd';
}

type Range = readonly [start: number, end: number];

const textOf = (characters: readonly Character[]) => characters.map(({ text }) => text).join('');

function wholeSecrets(characters: readonly Character[], secrets: readonly string[]): Range[] {
  const text = textOf(characters);
  return secrets.flatMap((secret) => {
    const ranges: Range[] = [];
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
      const [first, last] = [characters[at], characters[at + secret.length - 1]];
      if (first && last) ranges.push([first.start, last.end]);
    }
    return ranges;
  });
}

/** The beginnings of secrets with which the text ends. */
function splitSecrets(characters: readonly Character[], secrets: readonly string[], end: number): Range[] {
  const text = textOf(characters);
  return secrets.flatMap((secret): Range[] => {
    for (let length = Math.min(secret.length - 1, text.length); length >= shortestPart; length--) {
      if (secret[length - 1] !== text.at(-1) || !text.endsWith(secret.slice(0, length))) continue;
      const first = characters[text.length - length];
      return first ? [[first.start, end]] : [];
    }
    return [];
  });
}

function without(ranges: readonly Range[], text: string): string {
  let result = '';
  let done = 0;
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    if (start >= done) result += text.slice(done, start) + mask;
    done = Math.max(done, end);
  }
  return result + text.slice(done);
}
