/** Stands for what was removed. */
const mask = '***';

/** A part of a secret at the end of a text is removed if it is at least this long. */
const shortestPart = 3;

/** A text to search, and where in the original each of its characters begins, and where the last one ends. */
interface View {
  text: string;
  starts: number[];
}

/**
 * Removes secrets from a text. They may be written in any case, and with the escapes of JSON, JavaScript, URLs or HTML.
 * If the text was cut off at its end, the cut may have split a secret.
 *
 * @param secrets in the forms that they may have besides: {@link formsOf} adds some
 */
export function redact(text: string, secrets: readonly string[], isCut: boolean): string {
  const isHidden = new Array<boolean>(text.length).fill(false);
  const asWritten = { text: lowerCase(text), starts: Array.from({ length: text.length + 1 }, (_, at) => at) };
  for (const { text: searched, starts } of [asWritten, unescaped(text)]) {
    for (const secret of new Set(secrets.map(lowerCase))) {
      for (let at = searched.indexOf(secret); at >= 0; at = searched.indexOf(secret, at + 1)) {
        isHidden.fill(true, starts[at], starts[at + secret.length]);
      }
      const part = isCut ? splitPart(searched, secret) : 0;
      if (part > 0) isHidden.fill(true, starts[searched.length - part]);
    }
  }
  const masked = text.split('').map((unit, at) => {
    if (!isHidden[at]) return unit;
    return isHidden[at - 1] ? '' : mask;
  });
  return masked.join('');
}

/** How many secrets were removed from a text. */
export const hiddenIn = (text: string): number => text.split(mask).length - 1;

/** Changes no length, unlike `toLowerCase`. */
const lowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The length of the beginning of a secret with which the text ends. */
function splitPart(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= shortestPart; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}

const escapeSequence =
  /\\u\{0*([\da-f]{1,4})\}|\\u([\da-f]{4})|\\x([\da-f]{2})|%([\da-f]{2})|&#x0*([\da-f]{1,4});|&#0*(\d{1,5});|&(amp|lt|gt|quot|apos|nbsp);|\\([\\/"'])/gi;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The beginning of an escape that the cut has split. */
const splitEscape = /(?:\\(?:u(?:\{?[\da-f]{0,6})?|x[\da-f]?)?|%[\da-f]?|&(?:#?\w{0,8})?)$/i;

/** The text with each escape replaced by the character that it stands for, and without one that begins at its end. */
function unescaped(text: string): View {
  const view: View = { text: '', starts: [] };
  let done = 0;
  const take = (end: number) => {
    view.text += text.slice(done, end);
    for (; done < end; done++) view.starts.push(done);
  };
  for (const found of text.matchAll(escapeSequence)) {
    take(found.index);
    view.text += meaningOf(found);
    view.starts.push(done);
    done += found[0].length;
  }
  take(Math.max(done, splitEscape.exec(text)?.index ?? text.length));
  return { text: lowerCase(view.text), starts: [...view.starts, done] };
}

function meaningOf([, braces, u, x, percent, hexEntity, decimal, name, itself]: RegExpMatchArray): string {
  const hex = braces ?? u ?? x ?? percent ?? hexEntity;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return itself ?? entities[lowerCase(name ?? '')] ?? '\ufffd';
}

/** A secret as it is, in a URL and in a form, and in base64 and hexadecimal wherever in the encoded text it begins. */
export function formsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${' '.repeat(offset)}${secret}`).toString('base64');
    // The characters at both ends also hold bits of the neighbours.
    const first = Math.ceil((offset * 4) / 3);
    const last = Math.floor(((offset + secret.length) * 4) / 3);
    return encoded.slice(first, last);
  });
  const inUrls = inBase64.map((encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_'));
  return [
    ...[secret, encodeURIComponent(secret), new URLSearchParams({ '': secret }).toString().slice(1)],
    ...[...inBase64, ...inUrls, Buffer.from(secret).toString('hex')],
  ];
}
