import * as z from 'zod/mini';

/** Items of a page whose request names no limit. */
export const defaultPageLimit = 100;

const digits = z.string().check(z.regex(/^\d{1,3}$/));

/** The query parameter `limit` of a list: 1 to 100. */
export const pageLimit = z.pipe(z.pipe(digits, z.transform(Number)), z.int().check(z.gte(1), z.lte(100)));
z.globalRegistry.add(pageLimit, { default: defaultPageLimit });

const nullableUrl = z.nullable(z.string());

/** The members of every list besides `data`. */
export const pageMembers = {
  links: z.object({ first: nullableUrl, last: nullableUrl, prev: nullableUrl, next: nullableUrl }),
  meta: z.object({
    path: z.string(),
    per_page: z.int(),
    next_cursor: z.nullable(z.string()),
    prev_cursor: z.nullable(z.string()),
  }),
};
