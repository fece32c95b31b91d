import { languageOf } from '../request.ts';
import type { Middleware } from './request-context.ts';

/** Adds the headers of every response, even of errors, and those that the operation adds. */
export function commonHeaders(): Middleware {
  const add: Middleware['after'] = ({ response, event, context }) => {
    if (!response) return;
    response.headers = {
      ...(response.body !== undefined && { 'content-type': 'application/json' }),
      'cache-control': 'no-store',
      // A file is not in one of our languages.
      ...(!response.isBase64Encoded && { 'content-language': languageOf(event), vary: 'Accept-Language' }),
      'x-content-type-options': 'nosniff',
      'x-request-id': context.awsRequestId,
      ...context.addedHeaders,
      ...response.headers,
    };
  };
  return { after: add, onError: add };
}
