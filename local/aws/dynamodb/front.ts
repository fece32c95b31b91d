import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Access, type Authorize, accessKeyIdOf } from '../base/aws-access.ts';
import { type LoopbackServer, listenOnLoopback } from '../base/loopback.ts';
import { type Call, callAccesses, type PartitionKeyNames } from './call-accesses.ts';

export interface FrontOptions {
  /** The engine's address. */
  engineUrl: string;
  port?: number;
  region: string;
  accountId: string;
  partitionKeyNames: PartitionKeyNames;
  authorize: Authorize;
}

/**
 * DynamoDB as the functions see it: the engine behind the roles. Every call is checked against its caller's role, item
 * by item if it touches several, and then forwarded unchanged.
 */
export async function startDynamoDbFront(options: FrontOptions): Promise<LoopbackServer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const server = createServer((request, response) => {
    forward(request, response, options, agent).catch((error: unknown) => {
      respondError(response, 500, 'InternalServerError', error instanceof Error ? error.message : String(error));
    });
  });
  const front = await listenOnLoopback(server, options.port ?? 0);
  return {
    url: front.url,
    async close() {
      await front.close();
      agent.destroy();
    },
  };
}

async function forward(request: IncomingMessage, response: ServerResponse, options: FrontOptions, agent: Agent) {
  const body = await text(request);
  const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
  const accessKeyId = accessKeyIdOf(request.headers.authorization);
  try {
    for (const access of accesses(operation, JSON.parse(body || '{}'), options)) {
      options.authorize({ accessKeyId, ...access });
    }
  } catch (error) {
    respondError(response, 400, 'AccessDeniedException', error instanceof Error ? error.message : String(error));
    return;
  }
  const onward = httpRequest(
    new URL(request.url ?? '/', options.engineUrl),
    {
      method: request.method ?? 'POST',
      headers: { ...request.headers, host: new URL(options.engineUrl).host },
      agent,
    },
    (fromEngine) => {
      response.writeHead(fromEngine.statusCode ?? 500, fromEngine.headers);
      fromEngine.pipe(response);
    },
  );
  onward.on('error', (error) => respondError(response, 500, 'InternalServerError', error.message));
  onward.end(body);
}

function respondError(response: ServerResponse, status: number, type: string, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));
}

/** What a call does, in IAM's terms. */
function accesses(operation: string, call: Call, options: FrontOptions): Omit<Access, 'accessKeyId'>[] {
  const { region, accountId, partitionKeyNames } = options;
  return callAccesses(operation, call, partitionKeyNames).map(({ action, table, index, leadingKeys }) => ({
    action: `dynamodb:${action}`,
    resource: `arn:aws:dynamodb:${region}:${accountId}:table/${table}${index === undefined ? '' : `/index/${index}`}`,
    context: { 'dynamodb:LeadingKeys': leadingKeys },
  }));
}
