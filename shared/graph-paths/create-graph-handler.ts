import middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { CredentialsOf } from '#shared/accounts/credentials-store.ts';
import { appSecrets } from '#shared/accounts/event-signature.ts';
import { permitsCalls } from '#shared/accounts/workspace.ts';
import type { JsonObject } from '#shared/base/json.ts';
import { withLogContext } from '#shared/base/logger.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import type { ForeignFlowStore } from '#shared/flows/foreign-flow-store.ts';
import { cleanResponse, type Withheld, withheld } from '#shared/graph/clean-response.ts';
import { type HttpEvent, header } from '#shared/http/request.ts';
import { stringify } from '#shared/http/response-body.ts';
import type { RequestFile } from '#shared/media/media-upload.ts';
import type { PublicDependencies } from '#shared/operations/create-handler.ts';
import type { RunWithKey } from '#shared/operations/keyed-request.ts';
import {
  commonHeaders,
  idsOfRequest,
  logFault,
  loopGuard,
  type RequestContext,
  requestContext,
  requestLog,
  timeoutEarlyInMillis,
} from '#shared/operations/middleware.ts';
import { type FindContext, type FoundObject, requireNamedTemplates } from './find-object.ts';
import { graphErrorResponse } from './graph-errors.ts';
import type { GraphQuery } from './graph-objects-graph.ts';
import type { GraphPath, PathGroup, PathName } from './graph-paths.ts';
import type { ParsedPath } from './path-routing.ts';
import { readBody, readQuery } from './read-input.ts';
import { aboutToken, asksAboutToken, identify, resolveRequest } from './resolve-request.ts';

/** A request to one of Graph's paths, whose object belongs to the user. */
export interface GraphRequest<Input = unknown> {
  user: string;
  path: ParsedPath;
  object: FoundObject;
  /** What may go on to the platform. */
  query: GraphQuery;
  /** What the operation has read from the body. */
  input: Input;
}

/** What a path does. Its result is the body of the response. */
export interface GraphOperation<Input> {
  /** Reads and checks the body. */
  read?: (event: HttpEvent) => Input | Promise<Input>;
  /** Takes an `Idempotency-Key`. */
  isKeyed?: true;
  run: (request: GraphRequest<Input>) => Promise<unknown>;
}

export interface GraphDependencies extends PublicDependencies, FindContext {
  credentialsOf: CredentialsOf;
  upstreamBaseUrl: string;
  keyedRequests?: RunWithKey;
}

/** Operations that leave all to the platform. */
export const passOn = (upstream: GraphDependencies['upstream']) => ({
  read: {
    run: ({ object, path, query }: GraphRequest) => upstream(object.workspace).read(object.id, path.edge, query),
  },
  change: {
    read: (event: HttpEvent) => readBody(event),
    run: ({ object, path, input }: GraphRequest<JsonObject>) =>
      upstream(object.workspace).change(object.id, path.edge, input),
  },
  remove: {
    run: ({ object, path, query }: GraphRequest) => upstream(object.workspace).remove(object.id, path.edge, query),
  },
});

export interface TemplateDependencies extends GraphDependencies {
  foreignFlows: ForeignFlowStore;
}

/** Creates or changes a template, whose buttons may name Flows. */
export const changeTemplate = ({ upstream, foreignFlows }: TemplateDependencies): GraphOperation<JsonObject> => {
  const { change } = passOn(upstream);
  return {
    ...change,
    async run(request) {
      const workspaces = request.object.memberships.map(({ workspace }) => workspace);
      return change.run({ ...request, input: await foreignFlows.hide(request.input, workspaces) });
    },
  };
};

interface GraphContext extends RequestContext {
  withheld?: Withheld;
}

// biome-ignore lint/suspicious/noExplicitAny: each operation reads the input that it gets.
export type GraphOperations<G extends PathGroup> = { readonly [N in PathName<G>]: GraphOperation<any> };

/**
 * Creates the Lambda handler of a group of Graph's paths. The order of the checks is that of all operations: the token,
 * then whether the object exists for its user, then what that user may do, then query and body.
 */
export function createGraphHandler<G extends PathGroup>(
  group: G,
  dependencies: GraphDependencies,
  operations: GraphOperations<G>,
) {
  const { now, mark } = dependencies;
  const name = `graph-${group}`;
  const handler = middy<HttpEvent, APIGatewayProxyStructuredResultV2, Error, GraphContext>({ timeoutEarlyInMillis })
    .use(commonHeaders())
    .use(requestLog({ name }, now))
    .use({
      onError: async (request) => {
        const { event, context, error } = request;
        request.response = await responseTo(error, event, context);
        logFault(error, request.response);
      },
    })
    .use(loopGuard(mark))
    .handler(async (event, context) => {
      const asked = await identify(event, dependencies);
      const { user } = asked.token;
      context.resources = { user };
      if (asksAboutToken(event)) return { statusCode: 200, body: JSON.stringify(aboutToken(asked.token, event)) };
      const resolved = await resolveRequest(group, event, asked, dependencies);
      const { path, row, object } = resolved;
      const { workspace, number } = object;
      context.withheld = await withheldOf(object);
      context.resources = { user, workspace, ...(number && { number }) };
      requirePermission(group, row, object);
      const query = readQuery(event.queryStringParameters ?? {}, row);
      await requireNamedTemplates({ method: row.method, object, query }, dependencies);
      const operation = operations[resolved.name as PathName<G>];
      const input = await operation.read?.(event);
      const execute = async (): Promise<APIGatewayProxyStructuredResultV2> => {
        const result = await operation.run({ user, path, object, query, input });
        // The credentials may have been replaced meanwhile. What is done is reported, even if they cannot be read again.
        context.withheld = await withheldOf(object).catch(() => context.withheld);
        return { statusCode: 200, body: stringify(context.withheld && cleanResponse(result, context.withheld)) };
      };
      const key = operation.isKeyed && header(event, 'idempotency-key');
      if (!key || !dependencies.keyedRequests) return execute();
      context.input = isFile(input) ? { file: input } : { body: input };
      return dependencies.keyedRequests(key, {
        name: `${name}.${resolved.name}`,
        afterUnknownOutcome: 'never-again',
        event: { ...event, pathParameters: { id: path.id } },
        context,
        now,
        execute,
        reject: (error) => responseTo(error, event, context),
      });
    });

  async function withheldOf({ workspace }: FoundObject): Promise<Withheld> {
    const { credentialsOf, upstreamBaseUrl } = dependencies;
    const credentials = await credentialsOf(workspace)();
    return withheld([credentials.access_token, ...appSecrets(credentials)], upstreamBaseUrl);
  }

  function responseTo(error: unknown, event: HttpEvent, context: GraphContext) {
    return graphErrorResponse(error, { event, requestId: context.awsRequestId, withheld: context.withheld });
  }

  return (event: HttpEvent, context: Context): Promise<APIGatewayProxyStructuredResultV2> =>
    withLogContext(idsOfRequest(event, context), () => handler(event, requestContext(context)));
}

const isFile = (input: unknown): input is RequestFile => Object(input).bytes instanceof Uint8Array;

function requirePermission(
  group: PathGroup,
  { ofCalls, ofMembers }: GraphPath,
  { workspace, role, number }: FoundObject,
): void {
  const isOfOwners = (group === 'change' || group === 'register') && !ofMembers;
  if (isOfOwners && role !== 'owner') throw new ServiceError('workspace.not-owner');
  if (ofCalls && !permitsCalls(workspace)) throw new ServiceError('workspace.calling-disabled');
  if (ofCalls && !number?.calling_enabled) throw new ServiceError('number.calling-disabled');
}
