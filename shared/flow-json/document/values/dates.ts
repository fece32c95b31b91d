/**
 * Days in Flow JSON. Until version 4.0 they are written as milliseconds since the epoch, in text; from 5.0 on as
 * `YYYY-MM-DD` (Meta's page "Components", section "DatePicker"). Timestamps are read and written as UTC: before
 * 5.0, phones used their own time zone, which a preview does not know.
 */

/** The days of the week as Flow JSON writes them. */
export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** The day of the week of a day, given as `YYYY-MM-DD`. */
export function weekdayOf(day: string): string | undefined {
  return weekdays.at(new Date(day).getUTCDay() - 1);
}

/** Whether a text is a calendar day in the form `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(new Date(text)) === text;
}

/** Whether a Flow of this version writes days as timestamps. An unreadable version counts as a recent one. */
export const writesTimestamps = (version: string): boolean => Number.parseFloat(version) < 5;

/** The day, as `YYYY-MM-DD`, that a value in a Flow of this version means; undefined if it is not a day. */
export function parseDate(value: unknown, version: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (!writesTimestamps(version)) return isDay(value) ? value : undefined;
  return /^-?\d{1,17}$/.test(value) ? dayOf(new Date(Number(value))) : undefined;
}

/** Writes a day, given as `YYYY-MM-DD`, as a Flow of this version does. Any other text becomes empty. */
export function formatDate(day: string, version: string): string {
  if (!isDay(day)) return '';
  return writesTimestamps(version) ? String(Date.parse(day)) : day;
}

/** Undefined for an invalid date, and for years that do not have four digits. */
function dayOf(date: Date): string | undefined {
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : undefined;
}
