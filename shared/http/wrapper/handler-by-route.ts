import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract } from '../contract/contract.ts';
import type { HttpEvent } from './request.ts';

type Handler = (event: HttpEvent, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** The Lambda handler of a function that serves several operations: that of the operation which the route names. */
export function handlerByRoute(
  ...operations: readonly (readonly [Pick<Contract, 'method' | 'path'>, Handler])[]
): Handler {
  const handlers = new Map(operations.map(([{ method, path }, handler]) => [`${method} ${path}`, handler]));
  return async (event, context) => {
    const handler = handlers.get(event.routeKey);
    if (handler === undefined) throw new Error(`The function does not serve ${event.routeKey}`);
    return handler(event, context);
  };
}
