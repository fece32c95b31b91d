import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { isText, own, parseJson } from '#shared/base/json.ts';
import type { Clock } from '#shared/base/time.ts';
import { freshMs } from '#shared/base/time-limits.ts';
import { beforeSending, UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import { cleanResponse, withheld } from './clean-response.ts';
import { type ErrorSubject, parseGraphError } from './graph-error.ts';

export interface GraphSettings {
  /** The URL without the version, e.g. `https://graph.facebook.com`. */
  baseUrl: string;
  /** e.g. `v25.0`. */
  version: string;
  /** Milliseconds for one call. */
  timeoutMs: number;
  headers?: Readonly<Record<string, string>>;
  /** What the requests are about, if codes have a meaning of their own for it. */
  subject?: ErrorSubject;
}

export interface GraphRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** The path after the version, with each segment already encoded: `123/flows`. */
  path: string;
  query?: Record<string, string>;
  json?: unknown;
  form?: FormData;
  /** A body that is read while it is sent. It may take until the deadline. */
  stream?: MultipartForm;
}

export type GraphClient = ReturnType<typeof graphClient>;

/** The maximum number of attempts for a call that changes nothing upstream. */
const readAttempts = 3;

/**
 * Creates a client of Graph for one operation: all its calls together end at `deadline` (epoch milliseconds). Reads are
 * retried when the upstream fails. A change is sent only once, because its outcome may be unknown.
 */
export function graphClient(
  settings: GraphSettings,
  accessToken: (maxAgeMs?: number) => Promise<string>,
  deadline: number,
  now: Clock,
) {
  /**
   * Retries a call with the stored token if the upstream rejects the cached one, which may have been replaced. A
   * rejected call has changed nothing.
   */
  async function once(request: GraphRequest): Promise<unknown> {
    const token = await beforeSending(accessToken);
    try {
      return await send(request, token);
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.failure !== 'credentials') throw error;
      const current = await beforeSending(() => accessToken(freshMs));
      if (current === token) throw error;
      return send(request, current);
    }
  }

  async function send(request: GraphRequest, token: string): Promise<unknown> {
    const left = Math.min(request.stream ? Number.POSITIVE_INFINITY : settings.timeoutMs, deadline - now());
    if (left <= 0) {
      throw new UpstreamError('timeout', 'The time for this operation is used up.', { outcomeIsUnknown: false });
    }
    const body = bodyOf(request);
    try {
      const response = await fetch(address(settings, request), {
        method: request.method,
        headers: {
          ...settings.headers,
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...body.headers,
        },
        ...body.init,
        redirect: 'error',
        signal: AbortSignal.timeout(left),
      });
      return await readBody(response, settings, secretsOf(request, token));
    } catch (error) {
      throw error instanceof UpstreamError ? error : (body.errorOf?.(error) ?? connectionError(error));
    }
  }

  /** Resolves with the JSON of the upstream's response; throws `UpstreamError` for everything else. */
  return async function call(request: GraphRequest): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(request);
      } catch (error) {
        const again = request.method === 'GET' && attempt < readAttempts && isTransient(error);
        if (!again || deadline - now() < settings.timeoutMs / 4) throw error;
        await delay(Math.random() * 100 * 2 ** attempt);
      }
    }
  };
}

function address({ baseUrl, version }: GraphSettings, { path, query }: GraphRequest): string {
  const parameters = query ? `?${new URLSearchParams(query)}` : '';
  return `${baseUrl.replace(/\/+$/, '')}/${version}/${path}${parameters}`;
}

interface Body {
  headers?: Record<string, string>;
  init: RequestInit;
  /** The error that a failed exchange has; `undefined` if it says nothing about the body. */
  errorOf?: (error: unknown) => unknown;
}

function bodyOf({ json, form, stream }: GraphRequest): Body {
  if (stream) return streamedBody(stream);
  if (form) return { init: { body: form } };
  if (json === undefined) return { init: {} };
  return { headers: { 'content-type': 'application/json' }, init: { body: JSON.stringify(json) } };
}

/**
 * The body of a stream, and what became of it. The upstream discards a body that ends early, so a request that failed
 * before its last part has changed nothing.
 */
function streamedBody({ contentType, size, open }: MultipartForm): Body {
  let isComplete = false;
  let unreadable: { error: unknown } | undefined;
  async function* body() {
    try {
      yield* open(() => {
        isComplete = true;
      });
    } catch (error) {
      unreadable = { error };
      throw error;
    }
  }
  return {
    init: { body: ReadableStream.from(body()), duplex: 'half' },
    headers: { 'content-type': contentType, 'content-length': String(size) },
    errorOf(error: unknown): unknown {
      if (unreadable) return unreadable.error;
      const { failure } = connectionError(error);
      if (isComplete || failure === 'unreachable') return undefined;
      return new UpstreamError(failure, 'The messaging platform did not take the whole body.', {
        outcomeIsUnknown: false,
        cause: error,
      });
    },
  };
}

const secretMembers = ['input_token', 'verify_token', 'pin'];

/** What an error must not repeat. The token of an app has its secret behind the id. */
function secretsOf({ query, json }: GraphRequest, token: string): string[] {
  const members = secretMembers.flatMap((name) => [query?.[name], own(json, name)]);
  return [...members, token, ...token.split('|').slice(1)].filter(isText);
}

async function readBody(
  response: Response,
  { subject, baseUrl }: GraphSettings,
  secrets: readonly string[],
): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) {
    // The platform quotes a token that it does not accept.
    const error = cleanResponse(parseJson(text), withheld(secrets, baseUrl));
    throw parseGraphError(response.status, error, response.headers, subject);
  }
  const body = parseJson(text);
  if (body === undefined) {
    throw new UpstreamError('broken-response', 'The messaging platform sent a response that cannot be read.');
  }
  return body;
}

/**
 * Interprets an error of `fetch`. Nothing was certainly sent only if a look-up of the host or a connection to it failed.
 */
export function connectionError(cause: unknown): UpstreamError {
  const reason = cause instanceof Error ? cause.cause : undefined;
  if (isNeverConnected(reason))
    return new UpstreamError('unreachable', 'The messaging platform is unreachable.', { cause });
  if (isTimeout(cause) || isTimeout(reason)) {
    return new UpstreamError('timeout', 'The messaging platform did not respond in time.', { cause });
  }
  return new UpstreamError('broken-response', 'The connection to the messaging platform broke.', { cause });
}

/** A host with several addresses has one error for each of them. */
function isNeverConnected(reason: unknown): boolean {
  if (reason instanceof AggregateError) return reason.errors.every(isNeverConnected);
  return reason instanceof Error && ['getaddrinfo', 'connect'].includes(String(Reflect.get(reason, 'syscall')));
}

const isTimeout = (error: unknown) =>
  error instanceof Error && (error.name === 'TimeoutError' || /_TIMEOUT$/.test(String(Reflect.get(error, 'code'))));

function isTransient(error: unknown): boolean {
  return error instanceof UpstreamError && passing.has(error.failure);
}

const passing: ReadonlySet<UpstreamFailure> = new Set(['unavailable', 'unreachable', 'timeout', 'broken-response']);

const acknowledgement = z.object({ success: z.optional(z.boolean()) });

/** Checks the response to a change. The upstream returns `success: true`, but may also return `false`. */
export function acknowledged(response: unknown): void {
  const { success } = parseResponse(acknowledgement, response);
  if (success === false) throw new UpstreamError('rejected', 'The messaging platform did not accept the change.');
}

/** Parses a response. A response of an unexpected shape leaves the outcome of the request unknown. */
export function parseResponse<S extends z.ZodMiniType>(schema: S, response: unknown): z.output<S> {
  const result = z.safeParse(schema, response);
  if (result.success) return result.data;
  throw new UpstreamError('broken-response', 'The messaging platform sent a response of an unexpected shape.', {
    cause: result.error,
  });
}

export interface FileToUpload {
  type: string;
  /** Bytes. */
  size: number;
  /** Begins to read the bytes. A call that is repeated begins again. */
  open: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A form that is sent while its file is being read. `FormData` would need the whole file in memory. */
export interface MultipartForm {
  contentType: string;
  /** Bytes of the whole body. */
  size: number;
  /** Begins to read the body, and calls `onLast` before the part without which the form is incomplete. */
  open: (onLast: () => void) => AsyncGenerator<Uint8Array, void, void>;
}

/** Builds a form (RFC 7578) of text fields and a file. All of it but the file's bytes is ours, so nothing is escaped. */
export function multipartForm(
  fields: Readonly<Record<string, string>>,
  file: FileToUpload,
  fileName: string,
): MultipartForm {
  const boundary = `form-${randomBytes(16).toString('hex')}`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const fileHead = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${fileName}"`,
    `Content-Type: ${file.type}`,
    '\r\n',
  ].join('\r\n');
  const head = Buffer.from(texts.join('') + fileHead);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: head.length + file.size + tail.length,
    async *open(onLast) {
      yield head;
      yield* file.open();
      onLast();
      yield tail;
    },
  };
}
