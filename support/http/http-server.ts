import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type LoopbackServer, listenOnLoopback } from '#local/aws/base/http/loopback.ts';

/** A request that a test server received. */
export interface SeenRequest {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface TestServer extends LoopbackServer {
  /** Every request, in the order in which they were completed. */
  requests: SeenRequest[];
}

/** An HTTP server on a free port of 127.0.0.1 that records its requests. */
export async function startHttpServer(listener: RequestListener): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      listener(request, response);
    });
  });
  return { ...(await listenOnLoopback(server, 0)), requests };
}
