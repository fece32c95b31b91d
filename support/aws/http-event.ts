import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { HttpEvent } from '#shared/http/request.ts';
import type { Contract } from '#shared/operations/contract.ts';
import { checkDeclaredBody, checkDeclaredError } from '../declared-error.ts';

export type Handler = (event: HttpEvent, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

export interface RequestOptions {
  /** The operation: an error that it does not declare fails the test. */
  contract?: Contract;
  /** Method and path of the route, such as `GET /v2/workspaces`. */
  routeKey?: string;
  /** The header `Authorization`. */
  caller?: string | undefined;
  pathParameters?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** A string is sent unchanged, everything else as JSON with its content type. */
  body?: unknown;
  isBase64Encoded?: boolean;
}

/** The id of the invocation in every test request. */
export const requestId = '7f0e1d2c-0000-4000-8000-00000000c0de';

/** An API Gateway event in payload format 2.0. */
export function httpEvent(options: RequestOptions = {}): HttpEvent {
  const { routeKey = '$default', caller, pathParameters, query, headers, body, isBase64Encoded = false } = options;
  const contentType = body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  return {
    version: '2.0',
    routeKey,
    rawPath: '/',
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { ...contentType, ...(caller !== undefined && { authorization: caller }), ...headers },
    ...(query && { queryStringParameters: query }),
    ...(pathParameters && { pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method: 'GET', path: '/', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      requestId: 'gateway',
      routeKey,
      stage: '$default',
      time: '31/Jan/2026:08:15:30 +0000',
      timeEpoch: 1_769_847_330_000,
    } as HttpEvent['requestContext'],
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    isBase64Encoded,
  };
}

/** The response as a client sees it. */
export interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  /** The body as it is sent, `undefined` where there is none. */
  text: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape.
  json: any;
}

/** Sends a request straight to an operation's handler. */
export async function send(handler: Handler, options: RequestOptions = {}): Promise<Answer> {
  const {
    statusCode,
    headers = {},
    body,
  } = await handler(httpEvent(options), {
    awsRequestId: requestId,
  } as Context);
  if (options.contract) {
    checkDeclaredError(options.contract, statusCode, (name) => headers[name]);
    checkDeclaredBody(options.contract, statusCode, body);
  }
  return { status: statusCode, headers, text: body, json: body === undefined ? undefined : JSON.parse(body) };
}
