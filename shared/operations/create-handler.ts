import middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Role, Workspace } from '#shared/accounts/workspace.ts';
import { log, withLogContext } from '#shared/base/logger.ts';
import type { Mark } from '#shared/base/mark.ts';
import type { Clock } from '#shared/base/time.ts';
import type { LiveFlow } from '#shared/flows/flow.ts';
import type { Language } from '#shared/http/language.ts';
import { cookie, type HttpEvent, header, languageOf, rawBody } from '#shared/http/request.ts';
import { stringify } from '#shared/http/response-body.ts';
import { firstRun, type Run } from '#shared/idempotency/run-keyed.ts';
import type { RequestFile } from '#shared/media/media-upload.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { AccessReader } from './authorize.ts';
import { type Contract, needsToken } from './contract.ts';
import type { RunWithKey } from './keyed-request.ts';
import {
  authorization,
  commonHeaders,
  errorResponses,
  type HandlerOptions,
  idsOfRequest,
  inputValidation,
  loopGuard,
  type RequestContext,
  requestContext,
  requestLog,
  responseTo,
  timeoutEarlyInMillis,
} from './middleware.ts';

/** What every handler gets in addition to what its operation needs. */
export interface PublicDependencies {
  now: Clock;
  /** The mark of this deployment. */
  mark: Mark;
}

/** The same for an operation that requires an access token. */
export interface WrapperDependencies extends PublicDependencies {
  access: AccessReader;
}

/** The same for an operation that takes an `Idempotency-Key`. */
export interface KeyedDependencies extends WrapperDependencies {
  keyedRequests: RunWithKey;
}

/** The dependencies of the wrapper for a contract. Only operations that need no token do without access. */
export type DependenciesOf<C extends Contract> = C['caller'] extends 'public' | 'upstream'
  ? PublicDependencies
  : C['idempotency'] extends string
    ? KeyedDependencies
    : WrapperDependencies;

/** The input of an operation: the validated request, and the workspace and Flow that its path names. */
export type OperationRequest<C extends Contract> = {
  requestId: string;
  language: Language;
  /** Reads the request header with this lower-case name. */
  header: (name: string) => string | undefined;
  cookie: (name: string) => string | undefined;
  /** The IP address from which the request came. */
  clientAddress: string;
  query: C['query'] extends z.ZodMiniObject ? z.output<C['query']> : undefined;
  body: C['body'] extends z.ZodMiniType ? z.output<C['body']> : undefined;
  /** All parameters of the path, as text. */
  params: Readonly<Record<string, string | undefined>>;
  /** Returns the bytes of the body as the client sent them. */
  rawBody: () => Buffer;
  /** When the gateway received the request, in epoch milliseconds. */
  receivedAt: number;
  /** Adds a header to the response, even if that is an error. */
  addHeader: (name: string, value: string) => void;
} & (C['caller'] extends 'public' | 'upstream' ? unknown : { user: string }) &
  (C['caller'] extends 'public' | 'upstream' | 'user'
    ? unknown
    : { workspace: Workspace } & NamedFlow<C> & NamedTarget<C>) &
  (C['caller'] extends 'workspace-member' | 'workspace-owner' | 'number-user' | 'number-owner'
    ? { role: Role }
    : unknown) &
  (C['caller'] extends 'number-user' | 'number-owner' | 'number-caller' ? { number: PhoneNumber } : unknown) &
  (C['idempotency'] extends 'run-again' ? { run: Run } : unknown) &
  (C['takesFile'] extends true ? { file: RequestFile } : unknown);

type NamedTarget<C extends Contract> = C['path'] extends `${string}{target}${string}` ? { target: string } : unknown;

type NamedFlow<C extends Contract> = C['path'] extends `${string}{flow}${string}` ? { flow: LiveFlow } : unknown;

/**
 * Creates the Lambda handler of an operation. The middlewares run in the order of the list before the operation, and in
 * reverse order after it or after an error. The order of the checks matters: a caller who fails one of them does not
 * learn the result of a later one.
 */
export function createHandler<const C extends Contract>(
  contract: C,
  dependencies: DependenciesOf<C>,
  operation: (request: OperationRequest<C>) => Promise<OperationResponse<C>>,
  options: HandlerOptions = {},
) {
  const { now, mark } = dependencies;
  const { idempotency, takesFile }: Contract = contract;
  const access = 'access' in dependencies ? dependencies.access : undefined;
  const runWithKey = 'keyedRequests' in dependencies ? dependencies.keyedRequests : undefined;
  if (idempotency !== undefined && runWithKey === undefined) {
    throw new Error(`${contract.name} takes an Idempotency-Key and needs keyedRequests`);
  }
  if (takesFile && options.readFile === undefined) throw new Error(`${contract.name} takes a file and needs readFile`);
  const handler = middy<HttpEvent, APIGatewayProxyStructuredResultV2, Error, RequestContext>({ timeoutEarlyInMillis })
    .use(commonHeaders())
    .use(requestLog(contract, now))
    .use(errorResponses(options.explain))
    .use(loopGuard(mark))
    // Denies by default: only public operations and those for the upstream need no token.
    .use(needsToken(contract) ? [authorization(contract, access, now)] : [])
    .use(inputValidation(contract, options))
    .handler(async (event, context) => {
      const execute = async (run?: Run) => respond(contract, await operation(operationRequest<C>(event, context, run)));
      if (idempotency === undefined || runWithKey === undefined) return execute();
      const key = header(event, 'idempotency-key');
      if (key === undefined) return execute(firstRun());
      const { name } = contract;
      const reject = (error: Error) => responseTo(error, event, options.explain);
      return runWithKey(key, { name, afterUnknownOutcome: idempotency, event, context, now, execute, reject });
    });

  return (event: HttpEvent, context: Context): Promise<APIGatewayProxyStructuredResultV2> =>
    withLogContext(idsOfRequest(event, context), () => handler(event, requestContext(context)));
}

/** The cast is safe: authorization and validation have made the request match the contract's types. */
function operationRequest<C extends Contract>(
  event: HttpEvent,
  context: RequestContext,
  run: Run | undefined,
): OperationRequest<C> {
  return {
    requestId: context.awsRequestId,
    language: languageOf(event),
    header: (name: string) => header(event, name),
    cookie: (name: string) => cookie(event, name),
    clientAddress: event.requestContext.http.sourceIp,
    params: event.pathParameters ?? {},
    rawBody: () => rawBody(event),
    receivedAt: event.requestContext.timeEpoch,
    addHeader(name: string, value: string) {
      context.addedHeaders[name] = value;
    },
    ...context.resources,
    ...context.input,
    run,
  } as OperationRequest<C>;
}

/** A request to one of several contracts. */
type RequestToOne<C extends Contract> = C extends Contract ? OperationRequest<C> : never;

/**
 * Creates the Lambda handler of an operation that numbers and workspaces have: a contract for each, with a route, a
 * caller and schemas of its own. The route of a request chooses the contract before anything is authorized.
 */
export function createHandlerByRoute<const C extends Contract>(
  contracts: readonly C[],
  dependencies: DependenciesOf<C>,
  operation: (request: RequestToOne<C>) => Promise<OperationResponse<C>>,
) {
  // The request that a handler passes on is one to its own contract.
  const ofEach = operation as Parameters<typeof createHandler<C>>[2];
  const handlers = new Map(
    contracts.map((contract) => [`${contract.method} ${contract.path}`, createHandler(contract, dependencies, ofEach)]),
  );
  return async (event: HttpEvent, context: Context): Promise<APIGatewayProxyStructuredResultV2> => {
    const handler = handlers.get(event.routeKey);
    if (handler === undefined) throw new Error(`The function does not serve ${event.routeKey}`);
    return handler(event, context);
  };
}

/** Builds the response of an operation that succeeds. */
export const ok = <B>(body: B) => ({ status: 200, body }) as const;

/** Builds the response of an operation that created a resource. `location` is the resource's address. */
export const created = <B>(body: B, location?: string) =>
  ({ status: 201, body, ...(location !== undefined && { headers: { location } }) }) as const;

export const noContent = () => ({ status: 204 }) as const;

/** One of the responses that the contract declares. */
export type OperationResponse<C extends Contract> = {
  [Status in keyof C['responses'] & number]: {
    status: Status;
    headers?: Record<string, string>;
  } & (C['responses'][Status]['body'] extends z.ZodMiniType
    ? { body: z.input<C['responses'][Status]['body']> }
    : { body?: undefined });
}[keyof C['responses'] & number];

/** Headers that instruct browsers and caches. All others are for clients, so a contract declares them. */
const notDeclared: readonly string[] = [
  'cache-control',
  'content-encoding',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'vary',
  'x-robots-tag',
];

/**
 * Builds the response that the contract declares for the status. Throws if the status or a header is not declared, and
 * if the body of a read does not match: that is our own fault.
 */
export function respond<C extends Contract>(
  contract: C,
  response: OperationResponse<C>,
): APIGatewayProxyStructuredResultV2 {
  const declared = contract.responses[response.status];
  if (declared === undefined) throw new Error(`${contract.name} does not declare the status ${response.status}`);
  const names = [...notDeclared, ...Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase())];
  const undeclared = Object.keys(response.headers ?? {}).find((name) => !names.includes(name.toLowerCase()));
  if (undeclared !== undefined) throw new Error(`${contract.name} does not declare the header ${undeclared}`);
  return {
    statusCode: response.status,
    headers: { ...(declared.mediaType && { 'content-type': declared.mediaType }), ...response.headers },
    ...(declared.body && serialize(declaredBody(contract, declared.body, response.body), declared.mediaType)),
  };
}

/**
 * The body with the members that the schema has. What an operation has done cannot be undone, so after a change even a
 * body that the schema does not expect is sent: a 500 would say that the message, the Flow or the call may not exist.
 */
function declaredBody({ name, method }: Contract, schema: z.ZodMiniType, body: unknown): unknown {
  const { success, data, error } = z.safeParse(schema, body);
  if (success) return data;
  if (method === 'GET') throw error;
  const faults = error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ');
  log('error', 'response.unexpected', { operation: name, faults });
  return body;
}

function serialize(body: unknown, mediaType: string | undefined) {
  if (Buffer.isBuffer(body)) return { body: body.toString('base64'), isBase64Encoded: true };
  return { body: mediaType === undefined ? stringify(body) : String(body) };
}
