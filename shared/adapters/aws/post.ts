import { type Agent, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface Post {
  url: URL;
  agent: Agent;
  /** Names and values in turn: Node sends such a list as it is, and copies an object header by header. */
  headers: readonly string[];
  body: string;
  /** Milliseconds for the whole exchange, connecting included. */
  timeoutMs: number;
}

export interface PostResponse {
  status: number;
  body: string;
}

/** Sends a request to an AWS service and reads the whole response. */
export function post({ url, agent, headers, body, timeoutMs }: Post): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const options = {
      hostname: url.hostname,
      port: url.port,
      path: url.pathname,
      method: 'POST',
      agent,
      headers: [...headers, 'content-length', String(Buffer.byteLength(body))],
    };
    const request = send(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    const timer = setTimeout(() => request.destroy(timeoutError(url, timeoutMs)), timeoutMs);
    request.on('error', reject);
    request.on('close', () => clearTimeout(timer));
    request.end(body);
  });
}

function timeoutError({ host }: URL, timeoutMs: number): Error {
  return Object.assign(new Error(`${host} did not respond within ${timeoutMs} ms`), { name: 'TimeoutError' });
}
