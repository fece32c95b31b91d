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
  return fill(text[language], values);
}

/** Returns a text of one language with `values` in place of each `{name}`. */
export function fill(text: string, values: TextValues): string {
  return text.replace(/\{(\w+)(?: ([^|}]+)\|([^}]+))?\}/g, (mark, name: string, one?: string, many?: string) => {
    if (!Object.hasOwn(values, name)) return mark;
    const value = values[name];
    return one === undefined ? String(value) : `${value} ${value === 1 ? one : many}`;
  });
}
