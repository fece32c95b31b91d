/**
 * Days in Flow JSON. Until version 4.0 they are written as milliseconds since the epoch, in text; from 5.0 on as
 * `YYYY-MM-DD` (Meta's page "Components", section "DatePicker"). Timestamps are read and written as UTC: before 5.0
 * phones took their own time zone, which a preview does not know.
 */

/** The days of the week as Flow JSON writes them. */
export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** The day of the week of a day, given as `YYYY-MM-DD`. */
export function weekdayOf(day: string): string | undefined {
  return weekdays.at(new Date(day).getUTCDay() - 1);
}

/** Whether a text is a day of the calendar, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(new Date(text)) === text;
}

/** Whether a Flow of this version writes days as timestamps. A version that cannot be read counts as a later one. */
export const writesTimestamps = (version: string): boolean => Number.parseFloat(version) < 5;

/** The day, as `YYYY-MM-DD`, that a value in a Flow of this version stands for; undefined when it is none. */
export function parseDate(value: unknown, version: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (!writesTimestamps(version)) return isDay(value) ? value : undefined;
  return /^-?\d{1,17}$/.test(value) ? dayOf(new Date(Number(value))) : undefined;
}

/**
 * A day, given as `YYYY-MM-DD`, as a Flow of this version writes it; empty, as inputs hold for none, for anything else.
 */
export function formatDate(day: string, version: string): string {
  if (!isDay(day)) return '';
  return writesTimestamps(version) ? String(Date.parse(day)) : day;
}

/** Undefined for what is no time, or one of a year that four digits cannot write. */
function dayOf(date: Date): string | undefined {
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : undefined;
}
