/** What a client accepts, such as a language or a coding, and how much it prefers it: from 0 (not at all) to 1. */
export interface Preference {
  /** In lower case. `*` means everything that the header does not name. */
  name: string;
  quality: number;
}

/** The rest of a longer header is ignored, so that a hostile one costs little. */
const maxPreferences = 20;

/**
 * The preferences of an `Accept-Language` or `Accept-Encoding` header (RFC 9110, section 12.4.2), in the order given.
 */
export function parseAcceptHeader(header: string | undefined): Preference[] {
  return (header ?? '').split(',', maxPreferences).map(parsePreference);
}

function parsePreference(text: string): Preference {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
