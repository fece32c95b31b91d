import { type LogFields, logContext } from './log-context.ts';
import { originalStack } from './original-stack.ts';

type Level = 'info' | 'warn' | 'error';

/**
 * Writes one JSON log line, with what the context says of it (`withLogContext`). Lambda's JSON log format adds time,
 * level and request id.
 */
export function log(level: Level, event: string, fields: LogFields = {}): void {
  console[level]({ event, ...logContext(), ...fields });
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
