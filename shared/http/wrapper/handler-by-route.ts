import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract } from '../contract/contract.ts';
import type { HttpEvent } from './request.ts';

type Handler = (event: HttpEvent, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** The Lambda handler of a function that serves several operations: that of the operation which the route names. */
export function handlerByRoute<const C extends Contract>(
  contracts: readonly C[],
  handlerOf: (contract: C) => Handler,
): Handler {
  const handlers = new Map<string, Handler>(
    contracts.map((contract) => [`${contract.method} ${contract.path}`, handlerOf(contract)]),
  );
  return async (event, context) => {
    const handler = handlers.get(event.routeKey);
    if (handler === undefined) throw new Error(`The function does not serve ${event.routeKey}`);
    return handler(event, context);
  };
}
