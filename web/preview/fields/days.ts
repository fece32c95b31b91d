/** Days as `YYYY-MM-DD`. They are calculated in UTC, where each day has 24 hours. */

import { dayMs, minuteMs } from '#shared/base/time.ts';

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export function today(): string {
  const now = new Date();
  return dayOf(now.getTime() - now.getTimezoneOffset() * minuteMs);
}

export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * dayMs);

/** The same day of another month, or the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

/** How many days have passed since the week of this day began. */
export function dayOfWeek(day: string): number {
  return (new Date(day).getUTCDay() - firstDayOfWeek() + 7) % 7;
}

/** Formats a day in the page's language. */
export function writeDay(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(day).toLocaleDateString(document.documentElement.lang, { ...options, timeZone: 'UTC' });
}

/** The first day of the week: 0 for Sunday, which is also the default. */
function firstDayOfWeek(): number {
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(
    document.documentElement.lang,
  );
  return (locale.getWeekInfo?.().firstDay ?? 7) % 7;
}
