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

/** The headers of an upload that GetObject returns. */
export function headersToStore(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const stored: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  for (const [name, value] of Object.entries(headers)) {
    if (storedHeaders.includes(name) || name.startsWith('x-amz-meta-')) stored[name] = String(value);
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
