import * as z from 'zod/mini';

const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const isDateTimeWithZone = (text: string) => isoDateTime.test(text) && !Number.isNaN(Date.parse(text));

/** The start or end of a time range in a request: ISO 8601 with an offset. */
export const dateTimeWithZone = z.string().check(z.refine(isDateTimeWithZone, { params: { rule: 'date_time' } }));
z.globalRegistry.add(dateTimeWithZone, { format: 'date-time' });
