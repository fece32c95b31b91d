import { STATUS_CODES } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Access, type Authorize, accessKeyIdOf } from '../base/aws-access.ts';
import type { LoopbackServer } from '../base/loopback.ts';
import { listenForConnections } from '../base/raw-server.ts';
import { headerOf, type RawRequest, RequestSplitter } from '../base/request-splitter.ts';
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
 *
 * Most of the local world's calls pass here, so it reads no more of HTTP than it needs: each connection of a function
 * has one to the engine, whose responses go back byte by byte.
 */
export const startDynamoDbFront = (options: FrontOptions): Promise<LoopbackServer> =>
  listenForConnections(options.port ?? 0, (client) => forwardAll(client, options));

const bufferBytes = 16 * 1024;

/** Forwards the requests of one connection. */
function forwardAll(client: Socket, options: FrontOptions): void {
  const splitter = new RequestSplitter();
  let engine: Socket | undefined;

  function connectEngine(): Socket {
    const { hostname, port } = new URL(options.engineUrl);
    const socket = connect({
      host: hostname,
      port: Number(port || 80),
      noDelay: true,
      // Reads past Node's streams, which take longer than all the rest.
      onread: {
        buffer: Buffer.allocUnsafe(bufferBytes),
        callback: (bytes, buffer) => client.write(Buffer.from(buffer.subarray(0, bytes))),
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
      if (engine === socket) engine = undefined;
    });
    return socket;
  }

  function forward(request: RawRequest): void {
    try {
      for (const access of accesses(request, options)) options.authorize(access);
    } catch (error) {
      respondError(client, 400, 'AccessDeniedException', error instanceof Error ? error.message : String(error));
      return;
    }
    engine ??= connectEngine();
    engine.write(request.bytes);
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
  const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/x-amz-json-1.0',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  client.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** What a call does, in IAM's terms. */
function accesses(request: RawRequest, { region, accountId, partitionKeyNames }: FrontOptions): Access[] {
  const accessKeyId = accessKeyIdOf(headerOf(request, /^authorization:(.*)$/im));
  const operation = headerOf(request, /^x-amz-target:[^.\r]*\.(.*)$/im);
  const call: Call = JSON.parse(request.body.toString() || '{}');
  return callAccesses(operation, call, partitionKeyNames).map(({ action, table, index, leadingKeys }) => ({
    accessKeyId,
    action: `dynamodb:${action}`,
    resource: `arn:aws:dynamodb:${region}:${accountId}:table/${table}${index === undefined ? '' : `/index/${index}`}`,
    context: { 'dynamodb:LeadingKeys': leadingKeys },
  }));
}
