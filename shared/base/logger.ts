import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

type Level = 'info' | 'warn' | 'error';

/**
 * Writes one JSON log line, with the members of the context (`withLogContext`). Lambda's JSON log format adds time,
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

/** Members of a log line: ids, codes and figures. Never log a token, a body, a phone number or a name. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

const contexts = new AsyncLocalStorage<LogFields>();

/** Runs something and adds these members to all of its log lines. A context within another one adds to it. */
export function withLogContext<T>(fields: LogFields, run: () => T): T {
  return contexts.run({ ...contexts.getStore(), ...fields }, run);
}

/** The members of the present context. */
export const logContext = (): LogFields => contexts.getStore() ?? {};

/** The id of the request that led to what happens now, if the context names it. */
export function presentRequest(): string | undefined {
  const { request } = logContext();
  return typeof request === 'string' ? request : undefined;
}

/**
 * Matches a stack line that points into a file: `    at async name (file:///path/index.mjs:33:5624)`. The name is
 * optional.
 */
const frame = /^( +at ).*?(file:\S+?):(\d+):(\d+)\)?$/gm;

/** Source maps by the URL of their bundle, loaded when a stack first points there. */
const sourceMaps = new Map<string, SourceMap | undefined>();

/**
 * Replaces every place in a bundle with its place in the source, using the source map beside the bundle, and removes
 * the bundle's short names. Lines that no map covers stay unchanged. Node's `--enable-source-maps` would read the map
 * at each start.
 */
export function originalStack(stack: string): string {
  return stack.replace(frame, (line, at: string, file: string, lineNumber: string, column: string) => {
    const origin = sourceMapOf(file)?.findOrigin(Number(lineNumber), Number(column));
    if (!origin || !('fileName' in origin)) return line;
    return `${at}${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function sourceMapOf(file: string): SourceMap | undefined {
  if (!sourceMaps.has(file)) sourceMaps.set(file, readSourceMap(file));
  return sourceMaps.get(file);
}

function readSourceMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
