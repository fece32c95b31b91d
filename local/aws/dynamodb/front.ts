import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AwsError } from '../base/aws-error.ts';
import { foreignness } from '../base/http/foreign-requests.ts';
import type { LoopbackServer } from '../base/http/loopback.ts';
import { headerOf, MessageSplitter, type RawMessage } from '../base/http/message-splitter.ts';
import { listenForConnections } from '../base/http/raw-server.ts';
import type { Access, Authorize } from '../base/signatures/aws-access.ts';
import { verifyJsonRequest } from '../base/signatures/json-signatures.ts';
import type { Signers } from '../base/signatures/signature-v4.ts';
import type { Call, KeySchemas } from './call.ts';
import { callAccesses, UnknownTableError } from './call-accesses.ts';
import type { Engine } from './engine.ts';
import { EngineConnection } from './engine-connection.ts';
import { ruleChecker } from './ruled-calls.ts';

export interface FrontOptions {
  engine: Pick<Engine, 'url' | 'accessKeyId'>;
  port?: number;
  region: string;
  accountId: string;
  keySchemas: KeySchemas;
  signers: Signers;
  authorize: Authorize;
}

/**
 * DynamoDB as the functions see it: the engine behind the roles. Every call's signature is verified. It is checked
 * against its caller's role, item by item if it touches several, held to the rules that the engine does not know, and
 * then forwarded under the engine's own access key id, which no client knows.
 *
 * Most of the local world's calls pass here, so it reads no more of HTTP than it needs: each connection of a client has
 * one to the engine.
 */
export function startDynamoDbFront(options: FrontOptions): Promise<LoopbackServer> {
  const checked = { ...options, brokenRuleOf: ruleChecker(options.keySchemas) };
  return listenForConnections(options.port ?? 0, (client) => serve(client, checked));
}

interface CheckedOptions extends FrontOptions {
  brokenRuleOf: ReturnType<typeof ruleChecker>;
}

/** Responds to the requests of one connection, one after the other. */
function serve(client: Socket, options: CheckedOptions): void {
  const requests = new MessageSplitter();
  const waiting: RawMessage[] = [];
  const engine = new EngineConnection(options.engine.url, () => client.end());
  let isBusy = false;

  async function respondToAll(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let request = waiting.shift(); request; request = waiting.shift()) {
      client.write(await responseTo(request, engine, options));
      if (/^connection: *close/im.test(request.head)) client.end();
    }
    isBusy = false;
  }

  client.on('data', (chunk) => {
    try {
      waiting.push(...requests.push(chunk));
    } catch (error) {
      client.end(errorResponse(options, 411, 'SerializationException', error));
      return;
    }
    void respondToAll();
  });
  client.once('close', () => engine.close());
}

async function responseTo(
  request: RawMessage,
  engine: EngineConnection,
  options: CheckedOptions,
): Promise<Buffer | string> {
  const why = foreignness(request);
  if (why !== undefined) return errorResponse(options, 403, 'AccessDeniedException', new Error(why));
  let accessKeyId: string;
  try {
    const scope = { service: 'dynamodb', region: options.region, windowMinutes: 5 };
    accessKeyId = await verifyJsonRequest(request, scope, options.signers);
  } catch (error) {
    if (!(error instanceof AwsError)) return errorResponse(options, 500, 'InternalServerError', error);
    return errorResponse(options, error.status, error.code, error);
  }
  const operation = headerOf(request, /^x-amz-target:[^.\r]*\.(.*)$/im);
  let call: Call;
  try {
    call = JSON.parse(request.body.toString() || '{}');
    for (const access of accesses(accessKeyId, operation, call, options)) options.authorize(access);
  } catch (error) {
    const type = error instanceof UnknownTableError ? 'ResourceNotFoundException' : 'AccessDeniedException';
    return errorResponse(options, 400, type, error);
  }
  try {
    const broken = options.brokenRuleOf(call);
    if (broken !== undefined) return errorResponse(options, 400, 'ValidationException', new Error(broken));
  } catch (error) {
    // The call is not what its operation takes.
    return errorResponse(options, 400, 'SerializationException', error);
  }
  try {
    return withDate(await engine.send(engineRequest(operation, request.body, options)), options);
  } catch (error) {
    return errorResponse(options, 500, 'InternalServerError', error);
  }
}

/** The request as the engine gets it. The engine reads the signature's form only, and the access key id from it. */
function engineRequest(operation: string, body: Buffer, { engine, region }: FrontOptions): Buffer {
  const head = [
    'POST / HTTP/1.1',
    'host: dynamodb',
    'content-type: application/x-amz-json-1.0',
    `x-amz-target: DynamoDB_20120810.${operation}`,
    'x-amz-date: 20260101T000000Z',
    `authorization: AWS4-HMAC-SHA256 Credential=${engine.accessKeyId}/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
    `content-length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

const dateOf = ({ signers }: FrontOptions) => `date: ${new Date(signers.now()).toUTCString()}`;

/** The engine's response with the time that signatures are compared with: the SDK corrects its clock by it. */
function withDate({ head, body }: RawMessage, options: FrontOptions): Buffer {
  const undated = head.replace(/\r\ndate:.*/i, '');
  return Buffer.concat([Buffer.from(`${undated}\r\n${dateOf(options)}\r\n\r\n`, 'latin1'), body]);
}

function errorResponse(options: FrontOptions, status: number, type: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return response(options, status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));
}

function response(options: FrontOptions, status: number, body: string): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/x-amz-json-1.0',
    `content-length: ${Buffer.byteLength(body)}`,
    dateOf(options),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** What a call does, in IAM's terms. */
function accesses(
  accessKeyId: string,
  operation: string,
  call: Call,
  { region, accountId, keySchemas }: FrontOptions,
): Access[] {
  const accesses = callAccesses(operation, call, keySchemas);
  // An empty transaction or batch touches nothing. The engine says what is wrong with it.
  if (accesses.length === 0 && !(call.TransactItems || call.RequestItems)) {
    throw new Error(`The local DynamoDB does not serve ${operation}: it names no table`);
  }
  return accesses.map(({ action, table, index, leadingKeys }) => ({
    accessKeyId,
    action: `dynamodb:${action}`,
    resource: `arn:aws:dynamodb:${region}:${accountId}:table/${table}${index === undefined ? '' : `/index/${index}`}`,
    context: { 'dynamodb:LeadingKeys': leadingKeys },
  }));
}
