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
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, options, agent).catch((error: unknown) => {
      respondError(outgoing, 500, 'InternalServerError', error instanceof Error ? error.message : String(error));
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

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, options: FrontOptions, agent: Agent) {
  const body = await text(incoming);
  const operation = String(incoming.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
  const accessKeyId = accessKeyIdOf(incoming.headers.authorization);
  try {
    for (const access of accesses(operation, JSON.parse(body || '{}'), options)) {
      options.authorize({ accessKeyId, ...access });
    }
  } catch (error) {
    respondError(outgoing, 400, 'AccessDeniedException', error instanceof Error ? error.message : String(error));
    return;
  }
  const onward = httpRequest(
    new URL(incoming.url ?? '/', options.engineUrl),
    {
      method: incoming.method ?? 'POST',
      headers: { ...incoming.headers, host: new URL(options.engineUrl).host },
      agent,
    },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    },
  );
  onward.on('error', (error) => respondError(outgoing, 500, 'InternalServerError', error.message));
  onward.end(body);
}

function respondError(outgoing: ServerResponse, status: number, type: string, message: string): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  outgoing.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));
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
