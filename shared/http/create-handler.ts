import middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Clock } from '#shared/base/clock.ts';
import type { Mark } from '#shared/base/mark.ts';
import type { AccessReader } from '#shared/domain/access/access.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { LiveFlow } from '#shared/domain/flows/flow.ts';
import type { Contract } from './contract.ts';
import type { Explain } from './errors/explain.ts';
import type { Language } from './language/language.ts';
import { authorization } from './middleware/authorization.ts';
import { commonHeaders } from './middleware/common-headers.ts';
import { errorResponses } from './middleware/error-responses.ts';
import { type BodyCheck, inputValidation } from './middleware/input-validation.ts';
import { loopGuard } from './middleware/loop-guard.ts';
import { type RequestContext, requestContext } from './middleware/request-context.ts';
import { requestLog } from './middleware/request-log.ts';
import { cookie, type HttpEvent, header, languageOf } from './request.ts';
import { type OperationAnswer, respond } from './respond.ts';

/** What the handler of every operation is given besides what its operation needs. */
export interface PublicDependencies {
  now: Clock;
  /** Of this deployment. */
  mark: Mark;
}

/** The same for an operation that demands an access token. */
export interface WrapperDependencies extends PublicDependencies {
  access: AccessReader;
}

/** What the wrapper needs for a contract: only an operation that is open to all does without access. */
type DependenciesOf<C extends Contract> = C['caller'] extends 'public' | 'upstream'
  ? PublicDependencies
  : WrapperDependencies;

export interface HandlerOptions {
  /** The texts that the operation adds to errors of the upstream. */
  explain?: Explain;
  /** What is wrong with a body besides what its schema says. */
  checkBody?: BodyCheck;
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

/**
 * The Lambda handler of an operation. The middlewares run in the order of the list before the operation, and in the
 * reverse order after it or after an error. The order of the checks keeps a caller who fails one of them from learning
 * the result of a later one.
 */
export function createHandler<const C extends Contract>(
  contract: C,
  dependencies: DependenciesOf<C>,
  operation: (request: OperationRequest<C>) => Promise<OperationAnswer<C>>,
  { explain, checkBody }: HandlerOptions = {},
) {
  const { now, mark } = dependencies;
  const access = 'access' in dependencies ? dependencies.access : undefined;
  const handler = middy<HttpEvent, APIGatewayProxyStructuredResultV2, Error, RequestContext>()
    .use(commonHeaders())
    .use(requestLog(contract, now))
    .use(errorResponses(explain))
    .use(loopGuard(mark))
    .use(authorization(contract, access, now))
    .use(inputValidation(contract, checkBody))
    .handler(async (event, context) => respond(contract, await operation(operationRequest<C>(event, context))));

  return (event: HttpEvent, context: Context): Promise<APIGatewayProxyStructuredResultV2> =>
    handler(event, requestContext(context));
}

/** The authorization and the validation make it what the contract's types promise. */
function operationRequest<C extends Contract>(event: HttpEvent, context: RequestContext): OperationRequest<C> {
  return {
    requestId: context.awsRequestId,
    language: languageOf(event),
    header: (name: string) => header(event, name),
    cookie: (name: string) => cookie(event, name),
    params: event.pathParameters ?? {},
    rawBody: () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
    receivedAt: event.requestContext.timeEpoch,
    addHeader(name: string, value: string) {
      context.addedHeaders[name] = value;
    },
    ...context.resources,
    ...context.input,
  } as OperationRequest<C>;
}
