import { dayMs, hourMs, minuteMs } from '#shared/base/time.ts';

/** How doctor's texts write times, lengths of time and numbers. */

export const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const dayAndTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A length of time in its largest unit, rounded down. */
export function span(ms: number): string {
  const units = [
    [dayMs, 'day'],
    [hourMs, 'hour'],
    [minuteMs, 'minute'],
    [1000, 'second'],
  ] as const;
  const [length, name] = units.find(([unit]) => ms >= unit) ?? [1000, 'second'];
  return plural(Math.floor(ms / length), name);
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `a`, `a and b`, `a, b and c`. */
export const list = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words);
