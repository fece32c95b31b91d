import type { PageTextName, PageTexts } from '#shared/previews/page-texts.ts';

/** Returns a text of the page, with `values` in place of each `{name}`. */
export type Say = (name: PageTextName, values?: Readonly<Record<string, string | number>>) => string;

export const speaker =
  (texts: PageTexts): Say =>
  (name, values = {}) =>
    texts[name].replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
