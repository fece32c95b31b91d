import { ownVia } from '#shared/base/mark.ts';
import { hubSignatureHeader } from '#shared/domain/signing/hub-signature.ts';

/**
 * The headers to forward with an encrypted envelope. They include the marks, so that two deployments cannot relay a
 * request in a loop. `header` reads the request's headers.
 */
export function forwardedHeaders(header: (name: string) => string | undefined): Record<string, string> {
  const forwarded = [hubSignatureHeader, ownVia].flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { 'content-type': header('content-type') ?? 'application/json', ...Object.fromEntries(forwarded) };
}
