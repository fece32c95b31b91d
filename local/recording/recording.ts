import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json/parse-json.ts';

/** A value of JSON. */
export type Json = unknown;

const fileSchema = z.object({
  type: z.string(),
  size: z.number(),
  /** The content, if it is JSON. */
  json: z.optional(z.unknown()),
});

const fieldSchema = z.object({ name: z.string(), value: z.optional(z.string()), file: z.optional(fileSchema) });

const bodySchema = z.object({
  json: z.optional(z.unknown()),
  form: z.optional(z.array(fieldSchema)),
  /** Anything else: only its type and its size are recorded. */
  bytes: z.optional(z.object({ type: z.string(), size: z.number() })),
});

export type RecordedField = z.infer<typeof fieldSchema>;
export type RecordedBody = z.infer<typeof bodySchema>;

const headSchema = z.object({
  recording: z.literal(1),
  /** The host of the platform. */
  platform: z.string(),
});

const exchangeSchema = z.object({
  /** Milliseconds since the recording began. */
  at: z.number(),
  request: z.object({
    method: z.string(),
    path: z.string(),
    query: z.optional(z.record(z.string(), z.string())),
    body: z.optional(bodySchema),
  }),
  response: z.object({ status: z.number(), body: z.optional(bodySchema) }),
});

const eventSchema = z.object({ at: z.number(), event: z.unknown() });

export type Head = z.infer<typeof headSchema>;
/** A request of the service to the platform, with the response. */
export type Exchange = z.infer<typeof exchangeSchema>;
/** The body of a request of the platform to the service. */
export type RecordedEvent = z.infer<typeof eventSchema>;
export type Entry = Exchange | RecordedEvent;

export interface Recording {
  readonly head: Head;
  readonly entries: readonly Entry[];
}

export const isExchange = (entry: Entry): entry is Exchange => 'request' in entry;

/** A recording as the lines of a file. */
export function writeRecording({ head, entries }: Recording): string {
  return [head, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** A file that is not a recording. Its message names the line. */
export class RecordingError extends Error {}

/** @throws RecordingError */
export function readRecording(text: string): Recording {
  const [head, ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  return {
    head: parse(headSchema, head ?? '', 1),
    entries: lines.map((line, index) => parse(z.union([exchangeSchema, eventSchema]), line, index + 2)),
  };
}

function parse<T>(schema: z.ZodMiniType<T>, line: string, number: number): T {
  const result = z.safeParse(schema, parseJson(line));
  if (result.success) return result.data;
  throw new RecordingError(`Line ${number} is not what docs/recordings.md describes.`);
}
