import { vi } from 'vitest';
import { toLine } from '#local/aws/lambda/runtime/json-console.mjs';

export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  event: string;
  [field: string]: unknown;
}

/**
 * Collects what is logged until the mocks are restored, as Lambda would print it. A second argument of the console, for
 * example, makes `message` a text, which no filter of the log finds.
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
