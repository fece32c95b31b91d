import { isRawNumber } from './exact-json.ts';

/** Deeper than any Flow JSON, and far below the depth at which recursion over a value would exhaust the stack. */
export const maxJsonDepth = 200;

/** Whether arrays and objects nest deeper than `limit`. It goes no deeper itself, so it cannot exhaust the stack. */
export function nestsDeeperThan(limit: number, value: unknown): boolean {
  if (!isContainer(value)) return false;
  return limit === 0 || Object.values(value).some((member) => nestsDeeperThan(limit - 1, member));
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isRawNumber(value);
}
