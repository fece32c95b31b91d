import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { type AccessDenied, type Authorize, accessKeyIdOf, demandAccess } from './aws-access.ts';
import { AwsError } from './aws-error.ts';
import { parseJson } from './json.ts';
import { type LoopbackServer, listenOnLoopback } from './loopback.ts';
import { readBody } from './read-body.ts';

/** What an operation knows about its call besides the input. */
export interface AwsCall {
  accessKeyId: string;
  /** Aborted when the caller is gone. */
  signal: AbortSignal;
  /** Throws unless the caller may use this operation on the resource. */
  demandAccess(resource: string): void;
}

/** Returns the output, or throws `AwsError`. */
export type AwsOperation = (input: unknown, call: AwsCall) => unknown;

/** A service of the AWS JSON protocols (Smithy `aws.protocols#awsJson1_0` and `#awsJson1_1`). */
export interface AwsJsonService {
  version: '1.0' | '1.1';
  /** The part of `X-Amz-Target` before the operation's name. */
  target: string;
  /** Smithy namespace of its errors. */
  namespace: string;
  /** IAM's prefix of its actions. */
  iamPrefix: string;
  accessDenied: AccessDenied;
  /** For a service that used to speak AWS Query: the error codes that differed there. */
  queryErrorCodes?: Record<string, string>;
  operations: Record<string, AwsOperation>;
}

/** An operation whose input is validated against `schema` first. */
export function awsOperation<S extends z.ZodMiniType>(
  schema: S,
  run: (input: z.infer<S>, call: AwsCall) => unknown,
): AwsOperation {
  return (input, call) => {
    const parsed = z.safeParse(schema, input);
    if (parsed.success) return run(parsed.data, call);
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new AwsError('ValidationException', `The request's parameter ${path} is missing or invalid.`);
  };
}

/** Serves on loopback until it is closed. */
export function serveAwsJson(
  service: AwsJsonService,
  options: { port?: number | undefined; authorize?: Authorize | undefined },
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    void serve(service, options.authorize, request, response);
  });
  return listenOnLoopback(server, options.port ?? 0);
}

async function serve(
  service: AwsJsonService,
  authorize: Authorize | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { name, operation } = findOperation(service, request.headers['x-amz-target']);
    const input = await readJson(request);
    const output = await operation(input, callOf(service, authorize, name, request, response));
    respond(service, response, 200, output ?? {});
  } catch (error) {
    if (!response.destroyed) respondError(service, response, error);
  }
}

function findOperation(service: AwsJsonService, target: string | string[] | undefined) {
  const [, name = ''] = String(target).split('.');
  const operation = Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
  if (operation && target === `${service.target}.${name}`) return { name, operation };
  throw new AwsError('UnknownOperationException', `The local ${service.target} does not know ${target}.`);
}

function callOf(
  service: AwsJsonService,
  authorize: Authorize | undefined,
  operation: string,
  request: IncomingMessage,
  response: ServerResponse,
): AwsCall {
  const accessKeyId = accessKeyIdOf(request.headers.authorization);
  // IAM has no batch actions. The permission for the single action covers the batch.
  const action = `${service.iamPrefix}:${operation.replace(/Batch$/, '')}`;
  return {
    accessKeyId,
    // Few operations wait, so few need it.
    get signal() {
      return goneSignal(response);
    },
    demandAccess: (resource) => demandAccess(authorize, { accessKeyId, action, resource }, service.accessDenied),
  };
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

// The largest request, a batch of 1 MiB, grows to six times its size when every character is escaped.
const maxBodyBytes = 8 * 1024 * 1024;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, maxBodyBytes);
  if (body === undefined) throw new AwsError('RequestEntityTooLarge', 'The request is too large.', 413);
  const input = parseJson(body.toString());
  if (input === undefined) throw new AwsError('SerializationException', 'The request is not JSON.');
  return input;
}

function respondError(service: AwsJsonService, response: ServerResponse, error: unknown): void {
  const known = error instanceof AwsError;
  if (!known) console.error(error);
  const { code, message, status } = known ? error : new AwsError('InternalFailure', String(error), 500);
  if (service.queryErrorCodes) {
    const fault = status < 500 ? 'Sender' : 'Receiver';
    response.setHeader('x-amzn-query-error', `${service.queryErrorCodes[code] ?? code};${fault}`);
  }
  respond(service, response, status, { __type: `${service.namespace}#${code}`, message });
}

function respond(service: AwsJsonService, response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': `application/x-amz-json-${service.version}`,
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': randomUUID(),
  });
  response.end(text);
}
