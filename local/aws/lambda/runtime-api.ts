import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../base/loopback.ts';
import { readBody } from '../base/read-body.ts';
import { maxResponseBytes } from './invocation.ts';

interface RuntimeEvent {
  readonly requestId: string;
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly functionArn: string;
}

/** What a runtime reports through its Runtime API. */
interface RuntimeListener {
  /** The runtime asks for its next event: its initialisation or the previous event is over. */
  ready(): void;
  responded(requestId: string, payload: string): void;
  failed(requestId: string, payload: string): void;
  responseTooLarge(requestId: string): void;
  initFailed(payload: string): void;
}

export interface RuntimeApi {
  /** `host:port`, for `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string;
  /** Sets who hears what the runtime does. */
  serve(listener: RuntimeListener): void;
  /** Responds to the pending request for the next event. Call it once after each `ready`. */
  send(event: RuntimeEvent): void;
  close(): void;
}

const paths = /^\/2018-06-01\/runtime\/(?:invocation\/(?<requestId>[^/]+)\/(?<outcome>response|error)|init\/error)$/;

/** Serves the AWS Lambda Runtime API (2018-06-01) to one runtime, on a loopback port of its own. */
export async function startRuntimeApi(): Promise<RuntimeApi> {
  let listener: RuntimeListener | undefined;
  let pending: ServerResponse | undefined;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const match = paths.exec(request.url ?? '');
    if (request.method !== 'POST' || !match) {
      response.writeHead(404).end();
      return;
    }
    const payload = (await readBody(request, maxResponseBytes))?.toString();
    response.writeHead(payload === undefined ? 413 : 202).end();
    const { requestId, outcome } = match.groups ?? {};
    if (requestId === undefined) {
      listener?.initFailed(payload ?? '{}');
    } else if (payload === undefined) {
      listener?.responseTooLarge(requestId);
    } else if (outcome === 'response') {
      listener?.responded(requestId, payload);
    } else {
      listener?.failed(requestId, payload);
    }
  }

  // An event may take long, and a connection that ends while its result is sent would lose it.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (request.method === 'GET' && request.url === '/2018-06-01/runtime/invocation/next') {
      pending = response;
      listener?.ready();
    } else {
      // If the runtime dies while it responds, its exit is reported.
      receive(request, response).catch(() => response.destroy());
    }
  });
  const { url } = await listenOnLoopback(server, 0);

  return {
    address: new URL(url).host,
    serve(served) {
      listener = served;
    },
    send({ requestId, payload, deadline, functionArn }) {
      pending?.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': requestId,
        'lambda-runtime-deadline-ms': deadline,
        'lambda-runtime-invoked-function-arn': functionArn,
      });
      pending?.end(payload);
      pending = undefined;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
