import { isNumber, toDouble } from '#shared/base/json/exact-json.ts';
import { dayMs, minuteMs } from '#shared/base/time/duration.ts';

const earliestMs = Date.UTC(2020, 0, 1);
const fallbackStepMs = 10 * minuteMs;

/**
 * When an event happened, in epoch milliseconds: the first of the upstream's times (Unix seconds, as text or number)
 * between 2020 and a day after `receivedAt`. Without such a time, `receivedAt` rounded down to ten minutes, so that a
 * repeat soon afterwards gets the same time: the time is part of the delivery's id.
 */
export function eventTime(upstreamTimes: readonly unknown[], receivedAt: number): number {
  return (
    upstreamTimes
      .map(parseSeconds)
      .find((time) => time !== undefined && time >= earliestMs && time <= receivedAt + dayMs) ??
    Math.floor(receivedAt / fallbackStepMs) * fallbackStepMs
  );
}

function parseSeconds(value: unknown): number | undefined {
  if (isNumber(value)) return Math.floor(toDouble(value)) * 1000;
  if (typeof value === 'string' && /^\d{1,12}$/.test(value)) return Number(value) * 1000;
  return undefined;
}
