import { isNumber, toDouble } from '#shared/base/json/exact-json.ts';
import { maxJsonDepth } from '#shared/base/json/json-depth.ts';
import { isObject, own } from '#shared/base/json/json-object.ts';
import { dayMs, minuteMs } from '#shared/base/time/duration.ts';

const earliestMs = Date.UTC(2020, 0, 1);
const fallbackStepMs = 10 * minuteMs;

/**
 * When an event happened, in epoch milliseconds: the first of the upstream's times (Unix seconds, as text or number)
 * between 2020 and a day after `receivedAt`. Without such a time, `receivedAt` rounded down to ten minutes, so that a
 * repeat soon afterwards gets the same time: the time is part of the delivery's id.
 */
export function eventTime(upstreamTimes: Iterable<unknown>, receivedAt: number): number {
  for (const upstreamTime of upstreamTimes) {
    const time = parseSeconds(upstreamTime);
    if (time !== undefined && time >= earliestMs && time <= receivedAt + dayMs) return time;
  }
  return Math.floor(receivedAt / fallbackStepMs) * fallbackStepMs;
}

/** The members that say when something happened. Others, such as `expiration_timestamp`, say something else. */
const names = ['timestamp', 'updated_timestamp', 'created_timestamp'];

/**
 * The times that the members of a value say, in Unix seconds. The deepest come first, because they belong to the
 * items of the value, and the latest of one depth first, because the order of members says nothing.
 */
export function* timestampsIn(value: unknown): Generator<number> {
  const levels: number[][] = [];
  for (let parts = [value]; parts.length > 0 && levels.length < maxJsonDepth; parts = parts.flatMap(partsOf)) {
    const times = parts.flatMap((part) => names.map((name) => parseSeconds(own(part, name))));
    levels.push(times.filter((time) => time !== undefined).map((time) => time / 1000));
  }
  for (const seconds of levels.toReversed()) yield* seconds.toSorted((a, b) => b - a);
}

const partsOf = (part: unknown): unknown[] => (Array.isArray(part) ? part : isObject(part) ? Object.values(part) : []);

function parseSeconds(value: unknown): number | undefined {
  if (isNumber(value)) return Math.floor(toDouble(value)) * 1000;
  if (typeof value === 'string' && /^\d{1,12}$/.test(value)) return Number(value) * 1000;
  return undefined;
}
