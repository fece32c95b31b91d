import { languageOf } from '../request.ts';
import type { Middleware } from './request-context.ts';

/** The headers that every response carries, an error's too, and those that the operation adds. */
export function commonHeaders(): Middleware {
  const add: Middleware['after'] = ({ response, event, context }) => {
    if (!response) return;
    response.headers = {
      ...(response.body !== undefined && { 'content-type': 'application/json' }),
      'cache-control': 'no-store',
      // A file has no language of ours.
      ...(!response.isBase64Encoded && { 'content-language': languageOf(event), vary: 'Accept-Language' }),
      'x-content-type-options': 'nosniff',
      'x-request-id': context.awsRequestId,
      ...context.addedHeaders,
      ...response.headers,
    };
  };
  return { after: add, onError: add };
}
