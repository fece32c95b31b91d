import middy from '@middy/core';
import type {
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import * as z from 'zod/mini';
import type { AccessReader } from '#shared/adapters/dynamodb/access.ts';
import type { Clock } from '#shared/base/clock.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { describeError, type LogFields, log } from '#shared/base/logger.ts';
import { carriesMark, deploymentMark, type Mark } from '#shared/base/mark.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import type { LiveFlow } from '#shared/domain/flows/flow.ts';
import { type AuthorizerContext, authorize } from './authorize.ts';
import type { Contract } from './contract.ts';
import { errorResponse } from './errors/error-response.ts';
import type { Explain } from './errors/explain.ts';
import { readJsonBody } from './json-body.ts';
import { type Language, negotiateLanguage } from './language/language.ts';
import { parseFields } from './validation.ts';

type HttpEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<AuthorizerContext | null>;

/** What every handler is given besides what its operation needs. */
export interface WrapperDependencies {
  access: AccessReader;
  now: Clock;
}

/** What the wrapper hands to an operation: checked input, and the workspace and Flow that the path names. */
export type OperationRequest<C extends Contract> = {
  requestId: string;
  language: Language;
  /** The request's header of this name, in lower case. */
  header: (name: string) => string | undefined;
  cookie: (name: string) => string | undefined;
  query: C['query'] extends z.ZodMiniObject ? z.output<C['query']> : undefined;
  body: C['body'] extends z.ZodMiniObject ? z.output<C['body']> : undefined;
  /** The path's parameters that name none of the resources below. */
  params: Readonly<Record<string, string | undefined>>;
  /** The body's bytes as they were sent. */
  rawBody: () => Buffer;
  /** When the gateway took the request, in epoch milliseconds. */
  receivedAt: number;
  /** Puts a header on the answer, also when that is an error. */
  addHeader: (name: string, value: string) => void;
} & (C['caller'] extends 'public' | 'upstream' ? unknown : { user: string; workspace: Workspace } & NamedFlow<C>) &
  (C['caller'] extends 'number-user' | 'number-caller' ? { number: PhoneNumber } : unknown);

type NamedFlow<C extends Contract> = C['path'] extends `${string}{flow}${string}` ? { flow: LiveFlow } : unknown;

/** One of the contract's answers. */
export type OperationAnswer<C extends Contract> = {
  [Status in keyof C['answers'] & number]: {
    status: Status;
    headers?: Record<string, string>;
  } & (C['answers'][Status]['body'] extends z.ZodMiniType
    ? { body: z.input<C['answers'][Status]['body']> }
    : { body?: undefined });
}[keyof C['answers'] & number];

/**
 * The Lambda handler of an operation. It refuses a request that this deployment sent itself, so that none can loop. Then
 * it checks who calls, whether workspace and Flow exist, whether the caller has permission, then query and body. The order
 * keeps a caller who fails one check from learning the result of a later one. The response is cut to the contract's.
 * Errors become responses here and nowhere else.
 */
export function createHandler<const C extends Contract>(
  contract: C,
  { access, now }: WrapperDependencies,
  operation: (request: OperationRequest<C>) => Promise<OperationAnswer<C>>,
  explain?: Explain,
) {
  const mark = deploymentMark();
  const handle = async (event: HttpEvent, context: Context): Promise<APIGatewayProxyStructuredResultV2> => {
    refuseLoop(event, mark);
    const resources = await authorize(contract, event, access, now);
    const answer = await operation({
      requestId: context.awsRequestId,
      language: languageOf(event),
      header: (name) => header(event, name),
      cookie: (name) => cookie(event, name),
      params: event.pathParameters ?? {},
      rawBody: () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
      receivedAt: event.requestContext.timeEpoch,
      addHeader: (name, value) => addedHeaders.set(context, { ...addedHeaders.get(context), [name]: value }),
      ...resources,
      query: contract.query && parseFields(contract.query, event.queryStringParameters ?? {}),
      body: contract.body && parseFields(contract.body, readBody(event)),
    } as OperationRequest<C>);
    return respond(contract, answer);
  };

  return middy<HttpEvent, APIGatewayProxyStructuredResultV2>()
    .use(commonHeaders())
    .use(requestLog(contract, now))
    .use(errorResponses(explain))
    .handler(handle);
}

function refuseLoop(event: HttpEvent, mark: Mark): void {
  if (carriesMark((name) => header(event, name), mark)) throw new ServiceError('loop');
}

/** What the contract declares for the status, JSON mostly; a body that does not fit is a fault of ours. */
function respond<C extends Contract>(contract: C, answer: OperationAnswer<C>): APIGatewayProxyStructuredResultV2 {
  const declared = contract.answers[answer.status];
  if (declared === undefined) throw new Error(`${contract.name} does not declare the status ${answer.status}`);
  return {
    statusCode: answer.status,
    headers: { ...(declared.mediaType && { 'content-type': declared.mediaType }), ...answer.headers },
    ...(declared.body && serialize(z.parse(declared.body, answer.body), declared.mediaType)),
  };
}

function serialize(body: unknown, mediaType: string | undefined) {
  if (Buffer.isBuffer(body)) return { body: body.toString('base64'), isBase64Encoded: true };
  return { body: mediaType === undefined ? JSON.stringify(body) : String(body) };
}

function readBody(event: HttpEvent): object {
  return readJsonBody({
    contentType: header(event, 'content-type'),
    body: event.body,
    isBase64Encoded: event.isBase64Encoded,
  });
}

/** Header names are lower-case from API Gateway, but not from every stand-in for it (`sam local` capitalises them). */
function header(event: HttpEvent, name: string): string | undefined {
  return event.headers[name] ?? Object.entries(event.headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** API Gateway hands cookies apart from the headers, each as `name=value`. */
function cookie(event: HttpEvent, name: string): string | undefined {
  const prefix = `${name}=`;
  return event.cookies?.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

function languageOf(event: HttpEvent): Language {
  return negotiateLanguage(header(event, 'accept-language'));
}

type Middleware = middy.MiddlewareObj<HttpEvent, APIGatewayProxyStructuredResultV2>;

/** What operations put on their answers, by invocation. */
const addedHeaders = new WeakMap<Context, Record<string, string>>();

/** The headers that every answer of ours carries, an error's too, and what the operation adds. */
function commonHeaders(): Middleware {
  const add = (request: middy.Request<HttpEvent, APIGatewayProxyStructuredResultV2>) => {
    const { response, event, context } = request;
    if (!response) return;
    response.headers = {
      ...(response.body !== undefined && { 'content-type': 'application/json' }),
      'cache-control': 'no-store',
      // A file is in no language of ours.
      ...(!response.isBase64Encoded && { 'content-language': languageOf(event), vary: 'Accept-Language' }),
      'x-content-type-options': 'nosniff',
      'x-request-id': context.awsRequestId,
      ...addedHeaders.get(context),
      ...response.headers,
    };
  };
  return { after: add, onError: add };
}

/** One line for each request: ids, status and time, nothing that was sent. */
function requestLog(contract: Contract, now: Clock): Middleware {
  const started = new WeakMap<Context, number>();
  const write = ({ event, context, response }: middy.Request<HttpEvent, APIGatewayProxyStructuredResultV2>) => {
    const status = response?.statusCode ?? 0;
    log(status >= 500 ? 'error' : 'info', 'request', {
      operation: contract.name,
      status,
      duration_ms: now() - (started.get(context) ?? now()),
      workspace: parseUuid(event.pathParameters?.workspace),
      flow: parseUuid(event.pathParameters?.flow),
      number: parseUuid(event.pathParameters?.number),
      user: event.requestContext.authorizer?.lambda?.user,
    });
  };
  return {
    before: ({ context }) => {
      started.set(context, now());
    },
    after: write,
    onError: write,
  };
}

/** Turns what was thrown into its answer, and says of what nobody foresaw, or the upstream did not do, why. */
function errorResponses(explain: Explain | undefined): Middleware {
  return {
    onError: (request) => {
      const { status, body, headers } = errorResponse(request.error, languageOf(request.event), explain);
      const isForeseen = request.error instanceof ServiceError;
      if (status >= 500 && !isForeseen) log('error', faultEvent(request.error), describeFault(request.error));
      request.response = { statusCode: status, headers, body: JSON.stringify(body) };
    },
  };
}

/** The event's name in the log; the stack's alarms look for these. */
function faultEvent(error: unknown): string {
  if (!(error instanceof UpstreamError)) return 'request.failed';
  return error.failure === 'credentials' ? 'upstream.credentials-refused' : 'upstream.failed';
}

/** The upstream's words may quote what was sent to it, a malformed access token even: its codes say enough. */
function describeFault(error: unknown): LogFields {
  if (!(error instanceof UpstreamError)) return describeError(error);
  const { failure, code, subcode } = error;
  return { failure, upstream_code: code, upstream_subcode: subcode };
}
