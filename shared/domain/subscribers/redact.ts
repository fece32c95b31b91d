/** Stands for what was removed. */
const mask = '***';

/** A part of a secret at the end of a text is removed if it is at least this long. */
const shortestPart = 3;

/**
 * Removes secrets from a text, in any case. If the text was cut off at its end, the cut may have split a secret.
 *
 * @param secrets in the forms that they may have besides: {@link formsOf} adds some
 */
export function redact(text: string, secrets: readonly string[], isCut: boolean): string {
  const searched = lowerCase(text);
  const isHidden = new Array<boolean>(text.length).fill(false);
  for (const secret of new Set(secrets.map(lowerCase))) {
    for (let at = searched.indexOf(secret); at >= 0; at = searched.indexOf(secret, at + 1)) {
      isHidden.fill(true, at, at + secret.length);
    }
    if (isCut) isHidden.fill(true, text.length - splitPart(searched, secret));
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

/** A secret as it is, in JSON, in a URL, in HTML, in base64 wherever in the encoded text it begins, and in hexadecimal. */
export function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${' '.repeat(offset)}${secret}`).toString('base64');
    // The characters at both ends also hold bits of the neighbours.
    const first = Math.ceil((offset * 4) / 3);
    const last = Math.floor(((offset + secret.length) * 4) / 3);
    return encoded.slice(first, last);
  });
  const inUrls = inBase64.map((encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_'));
  return [
    ...[secret, json, json.replaceAll('/', '\\/')],
    ...[encodeURIComponent(secret), new URLSearchParams({ '': secret }).toString().slice(1)],
    secret.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign),
    ...[...inBase64, ...inUrls, Buffer.from(secret).toString('hex')],
  ];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
