import middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import { withLogContext } from '#shared/base/log/log-context.ts';
import type { Mark } from '#shared/base/mark.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import type { AccessReader } from '#shared/domain/access/access.ts';
import type { Role, Workspace } from '#shared/domain/accounts/workspace.ts';
import type { LiveFlow } from '#shared/domain/flows/flow.ts';
import { firstRun, type Run } from '#shared/domain/idempotency/run.ts';
import type { RequestFile } from '#shared/domain/media/upload-file.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import type { Contract } from '../contract/contract.ts';
import type { LoadExplain } from '../errors/explain.ts';
import type { Language } from '../language/language.ts';
import type { RunWithKey } from './keyed-request.ts';
import { authorization } from './middleware/authorization.ts';
import { commonHeaders } from './middleware/common-headers.ts';
import { errorResponses } from './middleware/error-responses.ts';
import { type BodyCheck, type FileReader, inputValidation } from './middleware/input-validation.ts';
import { loopGuard } from './middleware/loop-guard.ts';
import { type RequestContext, requestContext } from './middleware/request-context.ts';
import { idsOfRequest, requestLog } from './middleware/request-log.ts';
import { cookie, type HttpEvent, header, languageOf } from './request.ts';
import { type OperationResponse, respond } from './respond.ts';

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

export interface HandlerOptions {
  /** Explains the errors of the upstream in this operation. */
  explain?: LoadExplain;
  /** Checks what the schema of the body cannot express. */
  checkBody?: BodyCheck;
  /** Reads the file. Only operations that take one get this, so the bundles of the others do not contain it. */
  readFile?: FileReader;
}

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
  (C['caller'] extends 'workspace-member' | 'workspace-owner' ? { role: Role } : unknown) &
  (C['caller'] extends 'number-user' | 'number-owner' | 'number-caller' ? { number: PhoneNumber } : unknown) &
  (C['idempotency'] extends 'run-again' ? { run: Run } : unknown) &
  (C['takesFile'] extends true ? { file: RequestFile } : unknown);

type NamedTarget<C extends Contract> = C['path'] extends `${string}{target}${string}` ? { target: Target } : unknown;

type NamedFlow<C extends Contract> = C['path'] extends `${string}{flow}${string}` ? { flow: LiveFlow } : unknown;

/** The time that middy leaves of an invocation when it ends one: enough to load the error texts and to respond. */
const timeoutEarlyInMillis = 100;

/**
 * Creates the Lambda handler of an operation. The middlewares run in the order of the list before the operation, and in
 * reverse order after it or after an error. The order of the checks matters: a caller who fails one of them does not
 * learn the result of a later one.
 */
export function createHandler<const C extends Contract>(
  contract: C,
  dependencies: DependenciesOf<C>,
  operation: (request: OperationRequest<C>) => Promise<OperationResponse<C>>,
  { explain, checkBody, readFile }: HandlerOptions = {},
) {
  const { now, mark } = dependencies;
  const { idempotency, takesFile }: Contract = contract;
  const access = 'access' in dependencies ? dependencies.access : undefined;
  const runWithKey = 'keyedRequests' in dependencies ? dependencies.keyedRequests : undefined;
  if (idempotency !== undefined && runWithKey === undefined) {
    throw new Error(`${contract.name} takes an Idempotency-Key and needs keyedRequests`);
  }
  if (takesFile && readFile === undefined) throw new Error(`${contract.name} takes a file and needs readFile`);
  const handler = middy<HttpEvent, APIGatewayProxyStructuredResultV2, Error, RequestContext>({ timeoutEarlyInMillis })
    .use(commonHeaders())
    .use(requestLog(contract, now))
    .use(errorResponses(explain))
    .use(loopGuard(mark))
    .use(authorization(contract, access, now))
    .use(inputValidation(contract, { checkBody, readFile }))
    .handler(async (event, context) => {
      const execute = async (run?: Run) => respond(contract, await operation(operationRequest<C>(event, context, run)));
      if (idempotency === undefined || runWithKey === undefined) return execute();
      const key = header(event, 'idempotency-key');
      if (key === undefined) return execute(firstRun());
      return runWithKey(key, { contract, afterUnknownOutcome: idempotency, event, context, now, explain, execute });
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
    rawBody: () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
    receivedAt: event.requestContext.timeEpoch,
    addHeader(name: string, value: string) {
      context.addedHeaders[name] = value;
    },
    ...context.resources,
    ...context.input,
    run,
  } as OperationRequest<C>;
}
