import { AwsError } from '../base/aws-error.ts';

const maxMetadataBytes = 2048;
const metadataPrefix = 'x-amz-meta-';

const storedHeaders = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];

/** Whether an `If-Match` or `If-None-Match` header names this entity tag. */
export function matches(condition: string, etag: string): boolean {
  const unquoted = etag.replaceAll('"', '');
  return condition.split(',').some((candidate) => ['*', unquoted].includes(candidate.trim().replaceAll('"', '')));
}

/** What the conditions of a read come to (RFC 9110, section 13.2.2). The entity tag counts before the time. */
export function readCondition(
  headers: NodeJS.Dict<string | string[]>,
  etag: string,
  lastModified: number,
): 'failed' | 'unchanged' | 'met' {
  const header = (name: string) => headers[name]?.toString();
  // Dates in headers have no fractions of a second.
  const modified = Math.floor(lastModified / 1000) * 1000;
  const [ifMatch, ifNoneMatch] = [header('if-match'), header('if-none-match')];
  const [unmodifiedSince, modifiedSince] = [header('if-unmodified-since'), header('if-modified-since')];
  const isOther =
    ifMatch === undefined
      ? unmodifiedSince !== undefined && modified > Date.parse(unmodifiedSince)
      : !matches(ifMatch, etag);
  if (isOther) return 'failed';
  const isKnown =
    ifNoneMatch === undefined
      ? modifiedSince !== undefined && modified <= Date.parse(modifiedSince)
      : matches(ifNoneMatch, etag);
  return isKnown ? 'unchanged' : 'met';
}

/** The headers of an upload that GetObject returns. Throws `AwsError` `MetadataTooLarge`. */
export function headersToStore(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const stored: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  for (const [name, value] of Object.entries(headers)) {
    if (storedHeaders.includes(name) || name.startsWith(metadataPrefix)) stored[name] = String(value);
  }
  const metadata = Object.entries(stored).filter(([name]) => name.startsWith(metadataPrefix));
  const bytes = metadata.reduce((sum, [name, value]) => sum + name.length - metadataPrefix.length + value.length, 0);
  if (bytes > maxMetadataBytes) {
    throw new AwsError('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size');
  }
  // aws-chunked is an encoding of the request, not of the object.
  const encoding = (stored['content-encoding'] ?? '').replace(/(^|, *)aws-chunked(?=,|$)/, '').replace(/^, */, '');
  if (encoding === '') delete stored['content-encoding'];
  else stored['content-encoding'] = encoding;
  return stored;
}

/** The `response-…` parameters, which set headers of GetObject's response. */
export function overrides(query: URLSearchParams): Record<string, string> {
  const named = [...query].filter(([name]) => storedHeaders.includes(name.replace('response-', '')));
  return Object.fromEntries(named.map(([name, value]) => [name.replace('response-', ''), value]));
}
