import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Access, type Authorize, accessKeyIdOf } from '../base/aws-access.ts';
import type { LoopbackServer } from '../base/loopback.ts';
import { headerOf, MessageSplitter, type RawMessage } from '../base/message-splitter.ts';
import { listenForConnections } from '../base/raw-server.ts';
import { asTransaction, batchResponse } from './batch-transaction.ts';
import { type Call, callAccesses, type PartitionKeyNames } from './call-accesses.ts';
import { EngineConnection } from './engine-connection.ts';

export interface FrontOptions {
  /** The engine's address. */
  engineUrl: string;
  port?: number;
  region: string;
  accountId: string;
  partitionKeyNames: PartitionKeyNames;
  authorize: Authorize;
  /** Tries each batch of writes as one transaction first, because the engine commits that only once. */
  batchesAsTransactions: boolean;
}

/**
 * DynamoDB as the functions see it: the engine behind the roles. Every call is checked against its caller's role, item
 * by item if it touches several, and then forwarded unchanged. Only a batch of writes is first tried as a transaction.
 *
 * Most of the local world's calls pass here, so it reads no more of HTTP than it needs: each connection of a client has
 * one to the engine.
 */
export const startDynamoDbFront = (options: FrontOptions): Promise<LoopbackServer> =>
  listenForConnections(options.port ?? 0, (client) => serve(client, options));

/** Responds to the requests of one connection, one after the other. */
function serve(client: Socket, options: FrontOptions): void {
  const requests = new MessageSplitter();
  const waiting: RawMessage[] = [];
  const engine = new EngineConnection(options.engineUrl, () => client.end());
  let isBusy = false;

  async function respondToAll(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let request = waiting.shift(); request; request = waiting.shift()) {
      client.write(await responseTo(request, engine, options));
    }
    isBusy = false;
  }

  client.on('data', (chunk) => {
    try {
      waiting.push(...requests.push(chunk));
    } catch (error) {
      client.end(errorResponse(411, 'SerializationException', error));
      return;
    }
    void respondToAll();
  });
  client.once('close', () => engine.close());
}

async function responseTo(
  request: RawMessage,
  engine: EngineConnection,
  options: FrontOptions,
): Promise<Buffer | string> {
  const operation = headerOf(request, /^x-amz-target:[^.\r]*\.(.*)$/im);
  let call: Call;
  try {
    call = JSON.parse(request.body.toString() || '{}');
    for (const access of accesses(request, operation, call, options)) options.authorize(access);
  } catch (error) {
    return errorResponse(400, 'AccessDeniedException', error);
  }
  try {
    const transaction = options.batchesAsTransactions ? asTransaction(request, operation, call) : undefined;
    if (transaction !== undefined) {
      const body = batchResponse(await engine.send(transaction), call);
      if (body !== undefined) return response(200, body);
    }
    return (await engine.send(request.bytes)).bytes;
  } catch (error) {
    return errorResponse(500, 'InternalServerError', error);
  }
}

function errorResponse(status: number, type: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return response(status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));
}

function response(status: number, body: string): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/x-amz-json-1.0',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** What a call does, in IAM's terms. */
function accesses(
  request: RawMessage,
  operation: string,
  call: Call,
  { region, accountId, partitionKeyNames }: FrontOptions,
): Access[] {
  const accessKeyId = accessKeyIdOf(headerOf(request, /^authorization:(.*)$/im));
  return callAccesses(operation, call, partitionKeyNames).map(({ action, table, index, leadingKeys }) => ({
    accessKeyId,
    action: `dynamodb:${action}`,
    resource: `arn:aws:dynamodb:${region}:${accountId}:table/${table}${index === undefined ? '' : `/index/${index}`}`,
    context: { 'dynamodb:LeadingKeys': leadingKeys },
  }));
}
