import { STATUS_CODES } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Access, type Authorize, accessKeyIdOf } from '../base/aws-access.ts';
import type { LoopbackServer } from '../base/loopback.ts';
import { headerOf, MessageSplitter, type RawMessage } from '../base/message-splitter.ts';
import { listenForConnections } from '../base/raw-server.ts';
import { asTransaction, batchResponse } from './batch-transaction.ts';
import { type Call, callAccesses, type PartitionKeyNames } from './call-accesses.ts';

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

/** A batch that the engine tries as a transaction. */
interface Attempt {
  batch: RawMessage;
  call: Call;
  /** Takes the engine's response instead of the client. */
  responses: MessageSplitter;
}

/**
 * DynamoDB as the functions see it: the engine behind the roles. Every call is checked against its caller's role, item
 * by item if it touches several, and then forwarded unchanged.
 *
 * Most of the local world's calls pass here, so it reads no more of HTTP than it needs: each connection of a function
 * has one to the engine, whose responses go back byte by byte. Only a transaction's response is read.
 */
export const startDynamoDbFront = (options: FrontOptions): Promise<LoopbackServer> =>
  listenForConnections(options.port ?? 0, (client) => forwardAll(client, options));

const bufferBytes = 16 * 1024;

/** Forwards the requests of one connection. */
function forwardAll(client: Socket, options: FrontOptions): void {
  const splitter = new MessageSplitter();
  let engine: Socket | undefined;
  let attempt: Attempt | undefined;

  function connectEngine(): Socket {
    const { hostname, port } = new URL(options.engineUrl);
    const socket = connect({
      host: hostname,
      port: Number(port || 80),
      noDelay: true,
      // Reads past Node's streams, which take longer than all the rest.
      onread: {
        buffer: Buffer.allocUnsafe(bufferBytes),
        callback: (bytes, buffer) => receive(Buffer.from(buffer.subarray(0, bytes))),
      },
    });
    client.on('drain', () => socket.resume());
    socket.once('error', (error) => {
      if (socket.bytesRead > 0) client.destroy();
      else respondError(client, 500, 'InternalServerError', error.message);
    });
    socket.once('end', () => client.end());
    // The next request gets a new connection.
    socket.once('close', () => {
      if (engine !== socket) return;
      engine = undefined;
      attempt = undefined;
    });
    return socket;
  }

  /** Returns whether the client takes more. */
  function receive(bytes: Buffer): boolean {
    if (!attempt) return client.write(bytes);
    const { batch, call, responses } = attempt;
    const [response] = responses.push(bytes);
    if (!response) return true;
    attempt = undefined;
    const body = batchResponse(response, call);
    if (body !== undefined) return respond(client, 200, body);
    engine?.write(batch.bytes);
    return true;
  }

  function forward(request: RawMessage): void {
    const operation = headerOf(request, /^x-amz-target:[^.\r]*\.(.*)$/im);
    let call: Call;
    try {
      call = JSON.parse(request.body.toString() || '{}');
      for (const access of accesses(request, operation, call, options)) options.authorize(access);
    } catch (error) {
      respondError(client, 400, 'AccessDeniedException', error instanceof Error ? error.message : String(error));
      return;
    }
    engine ??= connectEngine();
    const transaction = options.batchesAsTransactions ? asTransaction(request, operation, call) : undefined;
    if (transaction !== undefined) attempt = { batch: request, call, responses: new MessageSplitter() };
    engine.write(transaction ?? request.bytes);
  }

  client.on('data', (chunk) => {
    try {
      for (const request of splitter.push(chunk)) forward(request);
    } catch (error) {
      respondError(client, 411, 'SerializationException', error instanceof Error ? error.message : String(error));
      client.end();
    }
  });
  client.once('close', () => engine?.destroy());
}

function respondError(client: Socket, status: number, type: string, message: string): void {
  respond(client, status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));
}

function respond(client: Socket, status: number, body: string): boolean {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/x-amz-json-1.0',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return client.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
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
