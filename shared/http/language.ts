import { BoundedMap } from '#shared/base/cache.ts';

/** The languages of our texts. Ids and codes are the same in all of them. */
export const languages = ['en', 'pt-BR', 'es'] as const;

export type Language = (typeof languages)[number];

/**
 * One sentence in every language; {@link render} replaces each `{name}` with a value, and `{name item|items}` with a
 * number and the form of the word that belongs to it.
 */
export type Text = Readonly<Record<Language, string>>;

export type TextValues = Readonly<Record<string, string | number>>;

export const defaultLanguage: Language = 'en';

/** Returns `text` in `language`, with `values` in place of each `{name}`. */
export function render(text: Text, language: Language, values: TextValues = {}): string {
  return text[language].replace(
    /\{(\w+)(?: ([^|}]+)\|([^}]+))?\}/g,
    (mark, name: string, one?: string, many?: string) => {
      if (!Object.hasOwn(values, name)) return mark;
      const value = values[name];
      return one === undefined ? String(value) : `${value} ${value === 1 ? one : many}`;
    },
  );
}

/** Clients send few different headers, so the languages of the latest ones are kept. */
const negotiated = new BoundedMap<string, Language>(100);

/**
 * Picks the best of our languages for an `Accept-Language` header (RFC 9110, section 12.5.4): the highest quality
 * first, ties in header order. A range matches by its primary tag, so `pt` and `pt-PT` get Brazilian Portuguese.
 */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  return acceptLanguage === undefined ? defaultLanguage : negotiated.getOrInsertComputed(acceptLanguage, bestLanguage);
}

function bestLanguage(acceptLanguage: string): Language {
  const accepted = parseAcceptHeader(acceptLanguage)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { name } of accepted) {
    if (name === '*') return defaultLanguage;
    const match = languages.find((language) => primaryTag(language) === primaryTag(name));
    if (match) return match;
  }
  return defaultLanguage;
}

function primaryTag(tag: string): string {
  return tag.split('-')[0] ?? '';
}

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
