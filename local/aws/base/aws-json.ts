import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import * as z from 'zod/mini';
import { AwsError } from './aws-error.ts';
import { foreignness } from './http/foreign-requests.ts';
import type { LoopbackServer } from './http/loopback.ts';
import { headerOf, MessageSplitter, type RawMessage } from './http/message-splitter.ts';
import { listenForConnections } from './http/raw-server.ts';
import { parseJson } from './json.ts';
import { type AccessDenied, type Authorize, demandAccess } from './signatures/aws-access.ts';
import { verifyJsonRequest } from './signatures/json-signatures.ts';
import type { Signers } from './signatures/signature-v4.ts';

/** What an operation knows about its call in addition to the input. */
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
  /** IAM's prefix of its actions, which is also the name that its requests are signed for. */
  iamPrefix: string;
  /** How far the time of a signature may be off. */
  signatureWindowMinutes: number;
  /** The status of a response to a wrong signature. */
  signatureStatus: number;
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
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    const isUnknown = issue?.code === 'unrecognized_keys';
    const name = [...path, ...(isUnknown ? issue.keys.slice(0, 1) : [])].join('.');
    const fault = isUnknown ? 'unknown to the local AWS' : 'missing or invalid';
    throw new AwsError('ValidationException', `The request's parameter ${name} is ${fault}.`);
  };
}

export interface AwsJsonOptions {
  port?: number | undefined;
  region: string;
  signers: Signers;
  authorize?: Authorize | undefined;
}

/** Serves on loopback until it is closed. A connection's requests run one after the other. */
export function serveAwsJson(service: AwsJsonService, options: AwsJsonOptions): Promise<LoopbackServer> {
  const busy = new WeakSet<Socket>();

  function serveAll(client: Socket): void {
    const splitter = new MessageSplitter();
    const waiting: RawMessage[] = [];

    function serveNext(): void {
      const request = waiting.shift();
      if (!request) return;
      busy.add(client);
      void responseTo(service, options, request, client).then((response) => {
        busy.delete(client);
        if (client.destroyed) return;
        client.write(response);
        if (/^connection: *close\r?$/im.test(request.head)) client.end();
        else serveNext();
      });
    }

    client.on('data', (chunk) => {
      try {
        waiting.push(...splitter.push(chunk));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        client.end(errorResponse(service, options, new AwsError('SerializationException', message, 411)));
        return;
      }
      if (!busy.has(client)) serveNext();
    });
  }

  return listenForConnections(options.port ?? 0, serveAll, (client) => busy.has(client));
}

/** Runs the operation of a request. */
async function responseTo(
  service: AwsJsonService,
  options: AwsJsonOptions,
  request: RawMessage,
  client: Socket,
): Promise<string> {
  let gone: AbortController | undefined;
  // Few operations wait, so few need it.
  const goneSignal = () => {
    gone ??= new AbortController();
    return gone.signal;
  };
  const abort = () => gone?.abort();
  client.once('close', abort);
  try {
    const why = foreignness(request);
    if (why !== undefined) throw new AwsError('AccessDeniedException', why, 403);
    const { iamPrefix, signatureWindowMinutes: windowMinutes, signatureStatus } = service;
    const scope = { service: iamPrefix, region: options.region, windowMinutes };
    const accessKeyId = await verifyJsonRequest(request, scope, options.signers, signatureStatus);
    const { name, operation } = findOperation(service, headerOf(request, /^x-amz-target:(.*)$/im));
    const call = callOf(service, options.authorize, { operation: name, accessKeyId, goneSignal });
    return responseOf(service, options, 200, (await operation(readJson(request), call)) ?? {});
  } catch (error) {
    return errorResponse(service, options, error);
  } finally {
    client.off('close', abort);
  }
}

function findOperation(service: AwsJsonService, target: string) {
  const [, name = ''] = target.split('.');
  const operation = Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
  if (operation && target === `${service.target}.${name}`) return { name, operation };
  throw new AwsError('UnknownOperationException', `The local ${service.target} does not know ${target}.`);
}

function callOf(
  service: AwsJsonService,
  authorize: Authorize | undefined,
  call: { operation: string; accessKeyId: string; goneSignal: () => AbortSignal },
): AwsCall {
  const { accessKeyId } = call;
  // IAM has no batch actions. The permission for the single action covers the batch.
  const action = `${service.iamPrefix}:${call.operation.replace(/Batch$/, '')}`;
  return {
    accessKeyId,
    get signal() {
      return call.goneSignal();
    },
    demandAccess: (resource) => demandAccess(authorize, { accessKeyId, action, resource }, service.accessDenied),
  };
}

// The largest request, a batch of 1 MiB, grows to six times its size when every character is escaped.
const maxBodyBytes = 8 * 1024 * 1024;

function readJson({ body }: RawMessage): unknown {
  if (body.length > maxBodyBytes) throw new AwsError('RequestEntityTooLarge', 'The request is too large.', 413);
  const input = parseJson(body.toString());
  if (input === undefined) throw new AwsError('SerializationException', 'The request is not JSON.');
  return input;
}

function errorResponse(service: AwsJsonService, options: AwsJsonOptions, error: unknown): string {
  const isAwsError = error instanceof AwsError;
  if (!isAwsError) console.error(error);
  const { code, message, status } = isAwsError ? error : new AwsError('InternalFailure', String(error), 500);
  const fault = status < 500 ? 'Sender' : 'Receiver';
  const { queryErrorCodes } = service;
  const headers = queryErrorCodes ? [`x-amzn-query-error: ${queryErrorCodes[code] ?? code};${fault}`] : [];
  return responseOf(service, options, status, { __type: `${service.namespace}#${code}`, message }, headers);
}

function responseOf(
  service: AwsJsonService,
  { signers }: AwsJsonOptions,
  status: number,
  body: unknown,
  headers: readonly string[] = [],
): string {
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: application/x-amz-json-${service.version}`,
    `content-length: ${Buffer.byteLength(text)}`,
    // The SDK corrects a wrong clock by it.
    `date: ${new Date(signers.now()).toUTCString()}`,
    `x-amzn-requestid: ${randomUUID()}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}
