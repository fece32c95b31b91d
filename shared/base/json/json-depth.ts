import { isRawNumber } from './exact-json.ts';

/** Deeper than any Flow JSON, and far below the depth at which recursion over a value would exhaust the stack. */
export const maxJsonDepth = 200;

/**
 * Whether arrays and objects nest deeper than `limit`. It goes level by level, because recursion could exhaust the
 * stack.
 */
export function nestsDeeperThan(limit: number, value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isRawNumber(value);
}
