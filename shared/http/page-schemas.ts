import * as z from 'zod/mini';

/** Items of a page whose request names no limit. */
export const defaultPageLimit = 100;

const range = { min: 1, max: 100 };
const isInRange = (text: string) => /^\d{1,3}$/.test(text) && Number(text) >= range.min && Number(text) <= range.max;
const digits = z.string().check(z.refine(isInRange, { params: { rule: 'between', ...range } }));

const pageLimit = z.pipe(z.pipe(digits, z.transform(Number)), z.int().check(z.gte(range.min), z.lte(range.max)));
z.globalRegistry.add(pageLimit, { default: defaultPageLimit });

/** The query parameters of every list. */
export const pageQuery = {
  limit: z.optional(pageLimit),
  cursor: z.optional(z.string().check(z.maxLength(500))),
};

export const pageQueryTexts = () => ({
  limit: 'The number of items on a page: 1 to 100, 100 by default.',
  cursor: 'Where the page starts: `meta.next_cursor` or `meta.prev_cursor` of another page of the same list.',
});

const emptyAsAbsent = z.pipe(
  z.string(),
  z.transform((text) => (text === '' ? undefined : text)),
);

/** An optional query parameter that filters a list. Without a value, as in `?status=`, it counts as absent. */
export function filter<S extends z.ZodMiniType<unknown, string | undefined>>(schema: S) {
  const optional = z.optional(z.pipe(emptyAsAbsent, z.optional(schema)));
  z.globalRegistry.add(optional, { allowEmptyValue: true });
  return optional;
}

const nullableUrl = z.nullable(z.string());

/** The members of every list in addition to `data`. */
export const pageMembers = {
  links: z.object({ first: nullableUrl, last: nullableUrl, prev: nullableUrl, next: nullableUrl }),
  meta: z.object({
    path: z.string(),
    per_page: z.int(),
    next_cursor: z.nullable(z.string()),
    prev_cursor: z.nullable(z.string()),
  }),
};

export const pageTexts = () => ({
  links: 'URLs of the pages around this one.',
  'links.first': 'The first page.',
  'links.last': 'Always `null`: the last page is not known in advance.',
  'links.prev': 'The page before this one; `null` on the first page.',
  'links.next': 'The page after this one; `null` on the last page.',
  meta: 'What the page is part of.',
  'meta.path': 'The URL of the list.',
  'meta.per_page': 'The `limit` of the page.',
  'meta.next_cursor': 'The `cursor` of the page after this one; `null` on the last page.',
  'meta.prev_cursor': 'The `cursor` of the page before this one; `null` on the first page.',
});
