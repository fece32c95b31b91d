import type middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { RequestFile } from '#shared/domain/media/upload-file.ts';
import type { Resources } from '../authorize.ts';
import type { HttpEvent } from '../request.ts';

/** Lambda's context, with what the middlewares add for the operation. */
export interface RequestContext extends Context {
  /** The result of the authorization. */
  resources: Resources;
  /** The result of the validation: what the contract's schemas return, and the file. */
  input: { query?: unknown; body?: unknown; file?: RequestFile };
  /** The headers that the operation adds to its response, even if that is an error. */
  addedHeaders: Record<string, string>;
}

/** Adds the middlewares' members to Lambda's context, which is all that middy passes on to the handler. */
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
