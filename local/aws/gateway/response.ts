import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isRecord } from '../base/json.ts';
import type { InvokeResult } from '../lambda/invocation.ts';

/** An HTTP response of the gateway. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** A response with JSON. */
export const json = (status: number, body: string): GatewayResponse => ({
  status,
  headers: new Map([['content-type', 'application/json']]),
  cookies: [],
  body: Buffer.from(body),
});

const message = (status: number, text: string) => json(status, JSON.stringify({ message: text }));

/** The gateway's own responses. */
export const gatewayResponses = {
  badRequest: message(400, 'Bad Request'),
  notFound: message(404, 'Not Found'),
  tooLarge: message(413, 'Request Entity Too Large'),
  headersTooLarge: message(431, 'Request Header Fields Too Large'),
  internalError: message(500, 'Internal Server Error'),
  unavailable: message(503, 'Service Unavailable'),
} as const satisfies Record<string, GatewayResponse>;

/** The function returned something that cannot become an HTTP response. */
export class MalformedResultError extends Error {
  override readonly name = 'MalformedResultError';

  constructor(payload: string, cause: unknown) {
    super(`Malformed result: ${payload.slice(0, 1_000)}`, { cause });
  }
}

/** The response object of payload format 2.0. Other members are ignored. */
interface StructuredResult {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>> | null;
  readonly cookies?: readonly string[] | null;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean | null;
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
const isText = (value: unknown) => typeof value === 'string';

/** What each member must be if it is there. */
const members: Readonly<Record<keyof StructuredResult, (value: unknown) => boolean>> = {
  statusCode: (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
  headers: (value) => isRecord(value) && Object.values(value).every(isScalar),
  cookies: (value) => Array.isArray(value) && value.every(isText),
  body: isText,
  isBase64Encoded: (value) => typeof value === 'boolean',
};

function assertStructured(
  value: Readonly<Record<string, unknown>>,
): asserts value is Record<string, unknown> & StructuredResult {
  for (const [name, isValid] of Object.entries(members)) {
    const member = value[name];
    const isMissing = (member === undefined || member === null) && name !== 'statusCode';
    if (!isMissing && !isValid(member)) throw new TypeError(`The member ${name} of the result is invalid`);
  }
}

/** The gateway sets these: they describe the connection, or the body as it is sent. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

export const hasNoBody = (status: number) => status === 204 || status === 304;

function fromStructured({ statusCode, headers, cookies, body, isBase64Encoded }: StructuredResult): GatewayResponse {
  const entries = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const folded = new Map(entries.filter(([name]) => !ownHeaders.has(name)));
  if (!folded.has('content-type') && !hasNoBody(statusCode)) folded.set('content-type', 'text/plain; charset=utf-8');
  for (const [name, value] of [...folded, ...(cookies ?? []).map((cookie) => ['set-cookie', cookie] as const)]) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return {
    status: statusCode,
    headers: folded,
    cookies: cookies ?? [],
    body: hasNoBody(statusCode) ? Buffer.alloc(0) : Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function interpret(payload: string): GatewayResponse {
  const value: unknown = JSON.parse(payload);
  if (isRecord(value) && 'statusCode' in value) {
    assertStructured(value);
    return fromStructured(value);
  }
  return json(200, typeof value === 'string' ? value : payload);
}

/**
 * Converts a function's result to an HTTP response as API Gateway does (payload format 2.0). An object with a
 * `statusCode` sets status, headers, cookies and body. Any other result becomes a 200 with the result as JSON. A failed
 * function becomes a 500.
 *
 * @throws {MalformedResultError} if the result is none of these.
 */
export function toResponse({ payload, functionError }: InvokeResult): GatewayResponse {
  if (functionError) return gatewayResponses.internalError;
  try {
    return interpret(payload);
  } catch (error) {
    throw new MalformedResultError(payload, error);
  }
}
