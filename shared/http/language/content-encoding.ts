import { parseAcceptHeader } from './accept-header.ts';

/** Whether a client accepts a gzipped response, according to its `Accept-Encoding` (RFC 9110, section 12.5.3). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const preferences = parseAcceptHeader(acceptEncoding);
  const gzip = preferences.find(({ name }) => name === 'gzip') ?? preferences.find(({ name }) => name === '*');
  return gzip !== undefined && gzip.quality > 0;
}
