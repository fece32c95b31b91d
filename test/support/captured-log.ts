import { vi } from 'vitest';

export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  event: string;
  [field: string]: unknown;
}

/** Collects what is logged until the mocks are restored. */
export function captureLog(): LogEntry[] {
  const entries: LogEntry[] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void entries.push({ level, ...line }));
  }
  return entries;
}
