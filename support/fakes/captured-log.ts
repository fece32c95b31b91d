import { beforeEach, vi } from 'vitest';
import { toLine } from '#local/aws/lambda/runtime/json-console.mjs';

export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  event: string;
  [field: string]: unknown;
}

/**
 * Collects log lines as Lambda would print them, until the mocks are restored. With a second argument, for example, the
 * console prints a text as `message`, which no filter of the log matches.
 */
export function captureLog(): LogEntry[] {
  const entries: LogEntry[] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...args) => {
      const { message } = JSON.parse(toLine({}, args));
      entries.push({ level, ...message });
    });
  }
  return entries;
}

/** Collects the log lines of each test, without those of earlier ones. */
export function logOfEachTest(): LogEntry[] {
  const entries = captureLog();
  beforeEach(() => void entries.splice(0));
  return entries;
}
