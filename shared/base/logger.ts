import { originalStack } from './original-stack.ts';

/** Members of a log line: ids, codes and figures. Never a token, a body, a phone number or a name. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

type Level = 'info' | 'warn' | 'error';

/** One JSON log line; Lambda's JSON log format adds time, level and request id. */
export function log(level: Level, event: string, fields: LogFields = {}): void {
  console[level]({ event, ...fields });
}

/**
 * What may be said of a thrown value: its kind and place, and its message, which our own code keeps free of secrets.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, error_message: error.message, stack: error.stack && originalStack(error.stack) };
}
