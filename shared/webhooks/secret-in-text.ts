/** A part of a secret at the end of a text that was cut off counts if it is at least this long. */
const shortestPart = 3;

/**
 * Whether a text shows one of these secrets, in any case, also with the escapes of JSON, JavaScript, URLs or HTML. If
 * the text was cut off at its end, the cut may have split a secret.
 *
 * @param secrets in the forms that they may have besides: {@link formsOf} adds some
 */
export function showsSecret(text: string, secrets: readonly string[], isCut: boolean): boolean {
  const written = text.toLowerCase();
  const unescaped = text.replace(escapeSequence, meaningOf).toLowerCase();
  const ends = isCut ? [written, unescaped.replace(splitEscape, '')] : [];
  return secrets.some((each) => {
    const secret = each.toLowerCase();
    return written.includes(secret) || unescaped.includes(secret) || ends.some((end) => endsInPart(end, secret));
  });
}

/** Whether a text ends with the beginning of a secret. */
function endsInPart(text: string, secret: string): boolean {
  for (let length = secret.length - 1; length >= shortestPart; length--) {
    if (text.endsWith(secret.slice(0, length))) return true;
  }
  return false;
}

const escapeSequence =
  /\\u\{0*([\da-f]{1,4})\}|\\u([\da-f]{4})|\\x([\da-f]{2})|%([\da-f]{2})|&#x0*([\da-f]{1,4});|&#0*(\d{1,5});|&(amp|lt|gt|quot|apos|nbsp);|\\([\\/"'])/gi;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The beginning of an escape that the cut has split. */
const splitEscape = /(?:\\(?:u(?:\{?[\da-f]{0,6})?|x[\da-f]?)?|%[\da-f]?|&(?:#?\w{0,8})?)$/i;

function meaningOf(_: string, ...[braces, u, x, percent, hexEntity, decimal, name, itself]: (string | undefined)[]) {
  const hex = braces ?? u ?? x ?? percent ?? hexEntity;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return itself ?? entities[(name ?? '').toLowerCase()] ?? '\ufffd';
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
