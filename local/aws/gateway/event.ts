import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { accountId } from '../base/account.ts';
import { foldHeaders, type GatewayRequest } from './request.ts';

/** The members of an event that come before the body (payload format 2.0). */
export interface RequestEvent {
  readonly version: '2.0';
  readonly routeKey: string;
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly cookies?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly queryStringParameters?: Readonly<Record<string, string>>;
  readonly requestContext: RequestContext;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

interface RequestContext {
  readonly accountId: string;
  readonly apiId: string;
  readonly domainName: string;
  readonly domainPrefix: string;
  readonly http: {
    readonly method: string;
    readonly path: string;
    readonly protocol: string;
    readonly sourceIp: string;
    readonly userAgent: string;
  };
  readonly requestId: string;
  readonly routeKey: string;
  readonly stage: string;
  readonly time: string;
  readonly timeEpoch: number;
}

/** The event for a route's function. */
export interface FunctionEvent extends RequestEvent {
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

export interface RequestFacts {
  readonly apiId: string;
  readonly requestId: string;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly time: Date;
}

/** An id in API Gateway's format. */
export const createRequestId = () => `${randomBytes(11).toString('base64url')}=`;

function foldQuery(rawQueryString: string): Record<string, string> | undefined {
  if (rawQueryString === '') return undefined;
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before},${value}`);
  }
  return parameters.size > 0 ? Object.fromEntries(parameters) : undefined;
}

function eventHeaders(request: GatewayRequest): Map<string, string> {
  const headers = foldHeaders(request.rawHeaders);
  const forwardedFor = headers.get('x-forwarded-for');
  headers.set('x-forwarded-for', forwardedFor ? `${forwardedFor}, ${request.sourceIp}` : request.sourceIp);
  headers.set('x-forwarded-port', String(request.port));
  headers.set('x-forwarded-proto', 'http');
  if (!headers.has('x-amzn-trace-id')) {
    const seconds = Math.floor(Date.now() / 1000).toString(16);
    headers.set('x-amzn-trace-id', `Root=1-${seconds}-${randomBytes(12).toString('hex')}`);
  }
  if (request.body.length > 0) headers.set('content-length', String(request.body.length));
  return headers;
}

/** Common log format: `20/Nov/2026:07:53:24 +0000`. */
function logTime(time: Date): string {
  // `Fri, 20 Nov 2026 07:53:24 GMT`
  const [, day, month, year, clock] = time.toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}

export function buildRequestEvent(request: GatewayRequest, facts: RequestFacts): RequestEvent {
  const { method, rawQueryString } = request;
  // Despite its name. AWS does not document it; it was observed with HTTP APIs, unlike REST APIs and function URLs.
  const rawPath = decodeURIComponent(request.rawPath);
  const headers = eventHeaders(request);
  const cookies = headers.get('cookie')?.split(/; */);
  headers.delete('cookie');
  const queryStringParameters = foldQuery(rawQueryString);
  const domainName = headers.get('host') ?? '';
  return {
    version: '2.0',
    routeKey: facts.routeKey,
    rawPath,
    rawQueryString,
    ...(cookies && { cookies }),
    headers: Object.fromEntries(headers),
    ...(queryStringParameters && { queryStringParameters }),
    requestContext: {
      accountId,
      apiId: facts.apiId,
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: {
        method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.sourceIp,
        userAgent: headers.get('user-agent') ?? '',
      },
      requestId: facts.requestId,
      routeKey: facts.routeKey,
      stage: '$default',
      time: logTime(facts.time),
      timeEpoch: facts.time.getTime(),
    },
    ...(Object.keys(facts.pathParameters).length > 0 && { pathParameters: facts.pathParameters }),
  };
}

const textTypes: ReadonlySet<string> = new Set(['application/json', 'application/javascript', 'application/xml']);

/**
 * The types that API Gateway takes for text. All other bodies reach the function in base64, including forms and bodies
 * without a type. AWS does not document the list. It was observed.
 */
function isTextType(contentType = ''): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type.startsWith('text/') || textTypes.has(type);
}

const decodeUtf8 = (body: Buffer): string | undefined => (isUtf8(body) ? body.toString() : undefined);

/** The event for a route's function. */
export function buildFunctionEvent(event: RequestEvent, body: Buffer): FunctionEvent {
  const text = isTextType(event.headers['content-type']) ? decodeUtf8(body) : undefined;
  return {
    ...event,
    ...(body.length > 0 && { body: text ?? body.toString('base64') }),
    isBase64Encoded: body.length > 0 && text === undefined,
  };
}
