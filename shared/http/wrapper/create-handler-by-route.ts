import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract } from '../contract/contract.ts';
import { createHandler, type DependenciesOf, type OperationRequest } from './create-handler.ts';
import type { HttpEvent } from './request.ts';
import type { OperationResponse } from './respond.ts';

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
