import type { Contract } from '../contract/contract.ts';
import { createHandler, type DependenciesOf, type HandlerOptions, type OperationRequest } from './create-handler.ts';
import { handlerByRoute } from './handler-by-route.ts';
import type { OperationResponse } from './respond.ts';

/** A request to one of several operations. */
type RequestToOne<C extends Contract> = C extends Contract ? OperationRequest<C> : never;

/**
 * Creates the Lambda handler of a function that serves several operations which do the same, each with a route, a
 * caller and schemas of its own.
 */
export function createHandlerByRoute<const C extends Contract>(
  contracts: readonly C[],
  dependencies: DependenciesOf<C>,
  operation: (request: RequestToOne<C>) => Promise<OperationResponse<C>>,
  options?: HandlerOptions,
) {
  // The request that a handler passes on is one to its own operation.
  const ofEach = operation as Parameters<typeof createHandler<C>>[2];
  return handlerByRoute(
    ...contracts.map((contract) => [contract, createHandler(contract, dependencies, ofEach, options)] as const),
  );
}
