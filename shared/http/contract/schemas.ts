import * as z from 'zod/mini';

/** A date-time in UTC with six fractional digits. */
export const dateTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/));
z.globalRegistry.add(dateTime, { format: 'date-time', examples: ['2026-01-31T08:15:30.123000Z'] });

/** Declares a response that is a page for people. */
export const htmlResponse = (description: string) => ({
  description,
  body: z.string(),
  mediaType: 'text/html; charset=utf-8',
});

const bytes = z.custom<Buffer>(Buffer.isBuffer);
z.globalRegistry.add(bytes, { type: 'string', format: 'binary' });

/** Declares a response that is a file; its `content-type` header states which kind. */
export const fileResponse = (description: string) => ({ description, body: bytes, mediaType: '*/*' });
