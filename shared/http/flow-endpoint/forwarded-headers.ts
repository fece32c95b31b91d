import { ownVia } from '#shared/base/mark.ts';

/**
 * The headers to forward with an encrypted envelope. They include the mark, so that two deployments cannot relay a
 * request in a loop. `header` reads the request's headers.
 */
export function forwardedHeaders(header: (name: string) => string | undefined): Record<string, string> {
  const mark = header(ownVia);
  return {
    'content-type': header('content-type') ?? 'application/json',
    ...(mark !== undefined && { [ownVia]: mark }),
  };
}
