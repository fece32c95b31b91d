import type middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { FieldError } from '#shared/base/field-error.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { describeError, type LogFields, log } from '#shared/base/logger.ts';
import { hasMark, type Mark } from '#shared/base/mark.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { shorten } from '#shared/base/text.ts';
import type { Clock } from '#shared/base/time.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { LoadExplain } from '#shared/http/error-entry.ts';
import { type HttpEvent, header, languageOf, readJsonBody } from '#shared/http/request.ts';
import { parseFields } from '#shared/http/validation.ts';
import type { RequestFile } from '#shared/media/media-upload.ts';
import { type AccessReader, authorize, type Resources } from './authorize.ts';
import { type Contract, needsToken } from './contract.ts';
import { errorResponse } from './error-response.ts';

/** The time that middy leaves of an invocation when it ends one: enough to load the error texts and to respond. */
export const timeoutEarlyInMillis = 100;

/** Lambda's context, with what the middlewares add for the operation. */
export interface RequestContext extends Context {
  /** The result of the authorization. */
  resources: Resources;
  /** The result of the validation: what the contract's schemas return, and the file. */
  input: { query?: unknown; body?: unknown; file?: RequestFile };
  /** The headers that the operation adds to its response, even if that is an error. */
  addedHeaders: Record<string, string>;
}

/** Adds the middlewares' members to Lambda's context, which is all that middy passes on to the handler. */
export function requestContext(context: Context): RequestContext {
  return Object.assign(context, { resources: {}, input: {}, addedHeaders: {} });
}

export type Middleware<Internal extends Record<string, unknown> = Record<string, unknown>> = middy.MiddlewareObj<
  HttpEvent,
  APIGatewayProxyStructuredResultV2,
  Error,
  RequestContext,
  Internal
>;

/** Adds the headers of every response, even of errors, and those that the operation adds. */
export function commonHeaders(): Middleware {
  const add: Middleware['after'] = ({ response, event, context }) => {
    if (!response) return;
    response.headers = {
      ...(response.body !== undefined && { 'content-type': 'application/json' }),
      'cache-control': 'no-store',
      // A file is not in one of our languages.
      ...(!response.isBase64Encoded && { 'content-language': languageOf(event), vary: 'Accept-Language' }),
      'x-content-type-options': 'nosniff',
      'x-request-id': context.awsRequestId,
      ...context.addedHeaders,
      ...response.headers,
    };
  };
  return { after: add, onError: add };
}

type RequestLog = Middleware<{ startedAt?: number }>;

/** What every log line of a request says: its id, and the ids that its path names. */
export function idsOfRequest({ pathParameters }: HttpEvent, { awsRequestId }: Context): LogFields {
  if (!pathParameters) return { request: awsRequestId };
  const workspace = parseUuid(pathParameters.workspace);
  const number = parseUuid(pathParameters.number);
  return {
    request: awsRequestId,
    workspace,
    flow: parseUuid(pathParameters.flow),
    number,
    // What lines about deliveries call either of them.
    subscriber: number ?? workspace,
    delivery: parseUuid(pathParameters.delivery),
  };
}

/** Logs one line per request with ids, status and duration, but nothing from its body or query. */
export function requestLog({ name }: Pick<Contract, 'name'>, now: Clock): RequestLog {
  const write: RequestLog['after'] = ({ context, response, internal }) => {
    const status = response?.statusCode ?? 0;
    log(status >= 500 ? 'error' : 'info', 'request', {
      operation: name,
      status,
      duration_ms: now() - (internal.startedAt ?? now()),
      user: context.resources.user,
    });
  };
  return {
    before: ({ internal }) => {
      internal.startedAt = now();
    },
    after: write,
    onError: write,
  };
}

/** Turns errors into responses, and logs the cause of unexpected ones and of failures of the upstream. */
export function errorResponses(loadExplain: LoadExplain | undefined): Middleware {
  return {
    onError: async (request) => {
      const response = await responseTo(request.error, request.event, loadExplain);
      logFault(request.error, response);
      request.response = response;
    },
  };
}

/** Logs the cause of a response that no client can have caused. */
export function logFault(error: unknown, { statusCode = 0 }: APIGatewayProxyStructuredResultV2): void {
  if (statusCode >= 500 && !(error instanceof ServiceError)) logCause(error);
}

export const logCause = (error: unknown, fields: LogFields = {}): void =>
  log('error', faultEvent(error), { ...describeFault(error), ...fields });

/** Builds the response to an error. */
export async function responseTo(error: unknown, event: HttpEvent, loadExplain: LoadExplain | undefined) {
  const { errorCatalogue } = await import('#shared/operations/error-catalogue.ts');
  const explain = await loadExplain?.();
  const { status, body, headers } = errorResponse(error, languageOf(event), errorCatalogue, explain);
  return { statusCode: status, headers, body: JSON.stringify(body) };
}

/** Returns the name of the log event. The stack's alarms count these events. */
function faultEvent(error: unknown): string {
  if (!(error instanceof UpstreamError)) return 'request.failed';
  return error.failure === 'credentials' ? 'upstream.credentials-rejected' : 'upstream.failed';
}

/**
 * Leaves the upstream's message out, because it may quote the request, even a malformed access token. The codes
 * suffice.
 */
function describeFault(error: unknown): LogFields {
  if (!(error instanceof UpstreamError)) return describeError(error);
  const { failure, code, subcode } = error;
  return { failure, upstream_code: code, upstream_subcode: subcode };
}

/** Rejects a request that this deployment itself sent, so that no request can loop. */
export function loopGuard(mark: Mark): Middleware {
  return {
    before: ({ event }) => {
      if (hasMark((name) => header(event, name), mark)) throw new ServiceError('loop-detected');
    },
  };
}

/** Identifies the caller and loads the resources that the path names, if the caller may use them. */
export function authorization(contract: Contract, access: AccessReader | undefined, now: Clock): Middleware {
  return {
    before: async ({ event, context }) => {
      context.resources = await authorize(contract, event, access, now, (user) => {
        context.resources = { user };
      });
    },
  };
}

export type BodyCheck = (body: Readonly<Record<string, unknown>>) => readonly FieldError[];

type FileReader = (event: HttpEvent) => Promise<RequestFile>;

export interface HandlerOptions {
  /** Explains the errors of the upstream in this operation. */
  explain?: LoadExplain;
  /** Checks what the schema of the body cannot express. */
  checkBody?: BodyCheck;
  /** Reads the file. Only operations that take one get this, so the bundles of the others do not contain it. */
  readFile?: FileReader;
}

/** API Gateway passes a body on as it came, and nothing here unpacks it. */
export function rejectEncoded(event: HttpEvent): void {
  const encoding = header(event, 'content-encoding')?.trim() ?? '';
  const isPlain = encoding === '' || encoding.toLowerCase() === 'identity';
  if (!isPlain && event.body) throw new ServiceError('body.encoded', { values: { encoding: shorten(encoding, 40) } });
}

const noParameters = z.strictObject({});

/** Parses the query and then the body with the contract's schemas, or reads the file. */
export function inputValidation(contract: Contract, { checkBody, readFile }: HandlerOptions = {}): Middleware {
  const { body, formOfBody, exactNumbers } = contract;
  const query = contract.query ?? (needsToken(contract) ? noParameters : undefined);
  return {
    before: async ({ event, context }) => {
      const parameters = event.queryStringParameters ?? {};
      context.input.query = query && parseFields(query, parameters, { kind: 'parameter' });
      if (body || readFile) rejectEncoded(event);
      if (readFile) context.input.file = await readFile(event);
      if (!body) return;
      const input = readJsonBody(event, exactNumbers);
      context.input.body = parseFields(formOfBody?.(input) ?? body, input, { check: checkBody });
    },
  };
}
