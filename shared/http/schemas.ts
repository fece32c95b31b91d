import * as z from 'zod/mini';

/** Date-time with six fractional digits, in UTC. */
export const dateTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/));
z.globalRegistry.add(dateTime, { format: 'date-time', examples: ['2026-01-31T08:15:30.123000Z'] });

const digits = (pattern: RegExp) => z.string().check(z.regex(pattern));

/** `limit` of a list: 1 to 100, as a query parameter. */
export const pageLimit = z.pipe(z.pipe(digits(/^\d{1,3}$/), z.transform(Number)), z.int().check(z.gte(1), z.lte(100)));

const nullableUrl = z.nullable(z.string());

/** What every list says besides its `data`. */
export const pageMembers = {
  links: z.object({ first: nullableUrl, last: nullableUrl, prev: nullableUrl, next: nullableUrl }),
  meta: z.object({
    path: z.string(),
    per_page: z.int(),
    next_cursor: z.nullable(z.string()),
    prev_cursor: z.nullable(z.string()),
  }),
};
