import * as z from 'zod/mini';

/** Items of a page whose request names no limit. */
export const defaultPageLimit = 100;

const range = { min: 1, max: 100 };
const isInRange = (text: string) => /^\d{1,3}$/.test(text) && Number(text) >= range.min && Number(text) <= range.max;
const digits = z.string().check(z.refine(isInRange, { params: { rule: 'between', ...range } }));

/** The query parameter `limit` of a list: 1 to 100. */
export const pageLimit = z.pipe(z.pipe(digits, z.transform(Number)), z.int().check(z.gte(range.min), z.lte(range.max)));
z.globalRegistry.add(pageLimit, { default: defaultPageLimit });

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
