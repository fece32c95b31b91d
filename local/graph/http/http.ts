import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { type ByteSource, streamOf } from './byte-source.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ByteSource;
}

/** A response that is not JSON. */
export class BytesResponse implements HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ByteSource;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: string | ByteSource = '') {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

export function jsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(body),
  };
}

export function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  const size = typeof body === 'string' ? Buffer.byteLength(body) : body.size;
  response.writeHead(status, { ...headers, 'content-length': size });
  if (typeof body === 'string') response.end(body);
  // If the source breaks off or the reader goes away, the connection has ended, and no response is possible.
  else pipeline(streamOf(body), response, () => undefined);
}

/** The header with which the upstream signs the body of a request. */
export function signatureHeader(body: Buffer | string, appSecret: string): Record<string, string> {
  return { 'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}` };
}
