import { originalStack } from './original-stack.ts';

/** Members of a log line: ids, codes and figures. Never log a token, a body, a phone number or a name. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

type Level = 'info' | 'warn' | 'error';

/** Writes one JSON log line; Lambda's JSON log format adds time, level and request id. */
export function log(level: Level, event: string, fields: LogFields = {}): void {
  console[level]({ event, ...fields });
}

/**
 * Describes a thrown value for the log: its name, its stack, and its message, which our own code keeps free of secrets.
 * Errors of AWS have the id of their request, which AWS support asks for.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const { $metadata } = error as { $metadata?: { requestId?: string } };
  return {
    error: error.name,
    error_message: error.message,
    ...($metadata?.requestId && { aws_request_id: $metadata.requestId }),
    stack: error.stack && originalStack(error.stack),
  };
}
