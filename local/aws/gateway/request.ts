/** An HTTP request as the gateway reads it. */
export interface GatewayRequest {
  readonly method: string;
  /** As sent, without the query. */
  readonly rawPath: string;
  /** As sent, without the question mark. */
  readonly rawQueryString: string;
  readonly httpVersion: string;
  /** Alternating names and values, as sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly port: number;
}

/** Path and query of a request target (RFC 9112, section 3.2). The host of an absolute target is ignored. */
export function splitTarget(target: string): { rawPath: string; rawQueryString: string } {
  const origin = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = origin.indexOf('?');
  const path = mark < 0 ? origin : origin.slice(0, mark);
  return { rawPath: path || '/', rawQueryString: mark < 0 ? '' : origin.slice(mark + 1) };
}

const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers in lower case, without those of the connection. Repeated headers are joined. */
export function foldHeaders(rawHeaders: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const before = headers.get(name);
    const separator = name === 'cookie' ? '; ' : ',';
    if (!hopByHop.has(name)) headers.set(name, before === undefined ? value : `${before}${separator}${value}`);
  }
  return headers;
}
