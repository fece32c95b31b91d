import type middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Resources } from '../authorize.ts';
import type { HttpEvent } from '../request.ts';

/** Lambda's context, and what the middlewares find out for the operation. */
export interface RequestContext extends Context {
  /** From the authorization. */
  resources: Resources;
  /** From the validation, as the contract's schemas return them. */
  input: { query?: unknown; body?: unknown };
  /** The headers that the operation adds to its response, or to the error's. */
  addedHeaders: Record<string, string>;
}

/** Adds the middlewares' part to Lambda's context. middy passes nothing else on to the handler. */
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
