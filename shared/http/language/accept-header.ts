/** Something that a client accepts, such as a language or a coding, with its preference from 0 (not at all) to 1. */
export interface Preference {
  /** The name in lower case. `*` means everything that the header does not name. */
  name: string;
  quality: number;
}

/** Further preferences are ignored, so that a hostile header costs little. */
const maxPreferences = 20;

/**
 * Parses an `Accept-Language` or `Accept-Encoding` header (RFC 9110, section 12.4.2). Keeps the order of the header.
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
