/** The languages that people read our texts in; ids and codes never change with them. */
export const languages = ['en', 'pt-BR', 'es'] as const;

export type Language = (typeof languages)[number];

/** One sentence in every language; `{name}` marks a value that {@link render} puts in. */
export type Text = Readonly<Record<Language, string>>;

export type TextValues = Readonly<Record<string, string | number>>;

export const defaultLanguage: Language = 'en';

/** `text` in `language`, with `values` in the places marked `{name}`. */
export function render(text: Text, language: Language, values: TextValues = {}): string {
  return text[language].replace(/\{(\w+)\}/g, (mark, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : mark,
  );
}

/**
 * The best of our languages for an `Accept-Language` header (RFC 9110 §12.5.4): highest quality first, ties in the
 * order given; a range matches by its primary tag, so `pt` and `pt-PT` are served Brazilian Portuguese.
 */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  const ranges = (acceptLanguage ?? '')
    .split(',')
    .slice(0, 20)
    .map(parseRange)
    .filter((range) => range.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { primary } of ranges) {
    if (primary === '*') return defaultLanguage;
    const match = languages.find((language) => primaryTag(language) === primary);
    if (match) return match;
  }
  return defaultLanguage;
}

function parseRange(range: string): { primary: string; quality: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { primary: primaryTag(tag), quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

function primaryTag(tag: string): string {
  return tag.split('-')[0] ?? '';
}
