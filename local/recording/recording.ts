import * as z from 'zod/mini';
import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';

/** A value of JSON. */
export type Json = unknown;

/** Larger files reach no platform. */
const maxSize = 100 * 1024 * 1024;

const sizeSchema = z
  .number()
  .check(z.refine((size) => Number.isInteger(size) && size >= 0 && size <= maxSize, `has to be 0 to ${maxSize} bytes`));

const fileSchema = z.object({
  type: z.string(),
  size: sizeSchema,
  /** The content, if it is JSON. */
  json: z.optional(z.unknown()),
});

const fieldSchema = z.object({ name: z.string(), value: z.optional(z.string()), file: z.optional(fileSchema) });

const bodySchema = z.object({
  json: z.optional(z.unknown()),
  form: z.optional(z.array(fieldSchema)),
  /** Anything else: only its type and its size are recorded. */
  bytes: z.optional(z.object({ type: z.string(), size: sizeSchema })),
});

export type RecordedField = z.infer<typeof fieldSchema>;
export type RecordedBody = z.infer<typeof bodySchema>;

const headSchema = z.object({
  recording: z.literal(1),
  /** The host of the platform. */
  platform: z.string(),
});

const requestSchema = z
  .object({
    method: z
      .string()
      .check(z.refine((method) => ['GET', 'POST', 'DELETE'].includes(method), 'has to be GET, POST or DELETE')),
    path: z.string().check(z.refine(isGraphPath, 'has to be a path of Graph, such as /v25.0/1/messages')),
    query: z.optional(z.record(z.string(), z.string())),
    body: z.optional(bodySchema),
  })
  .check(
    z.refine(({ method, body }) => method !== 'GET' || body === undefined, {
      error: 'cannot exist in a GET',
      path: ['body'],
    }),
  );

const exchangeSchema = z.object({
  /** Milliseconds since the recording began. */
  at: z.number(),
  request: requestSchema,
  response: z.object({ status: z.int().check(z.gte(200), z.lte(599)), body: z.optional(bodySchema) }),
});

const eventSchema = z.object({ at: z.number(), event: z.unknown().check(z.refine(isObject, 'has to be an object')) });

/** Whether a path has a version of Graph and an object, leads nowhere else, and can be decoded. */
function isGraphPath(path: string): boolean {
  try {
    decodeURIComponent(path);
    return /^\/v\d+\.\d+\/./.test(path) && new URL(path, 'http://platform').pathname === path;
  } catch {
    return false;
  }
}

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
  const [head, ...lines] = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return {
    head: parse(headSchema, parseJson(head ?? ''), 1),
    entries: lines.map((line, index) => readEntry(parseJson(line), index + 2)),
  };
}

function readEntry(value: Json, number: number): Entry {
  const isRequest = isObject(value) && Object.hasOwn(value, 'request');
  return isRequest ? parse(exchangeSchema, value, number) : parse(eventSchema, value, number);
}

function parse<T>(schema: z.ZodMiniType<T>, value: Json, number: number): T {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw new RecordingError(`Line ${number} is not what docs/recordings.md describes: ${faultOf(value, result.error)}.`);
}

function faultOf(value: Json, { issues }: z.core.$ZodError): string {
  if (value === undefined) return 'it is not JSON';
  const [{ path, message } = { path: [], message: '' }] = issues;
  // Zod says more if its texts in English are loaded.
  return `${path.join('.') || 'it'} ${message.startsWith('Invalid input') ? 'is missing or of another type' : message}`;
}
