import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { AwsError } from './aws-error.ts';
import { containerHost, localRequests } from './http/local-requests.ts';
import { type LoopbackServer, listenOnLoopback } from './http/loopback.ts';
import { readBody } from './http/read-body.ts';
import { parseJson } from './json.ts';
import { type AccessDenied, type Authorize, demandAccess } from './signatures/aws-access.ts';
import {
  SignatureError,
  type SignatureFault,
  type Signers,
  sha256Hex,
  verifySignature,
} from './signatures/signature-v4.ts';

/** A protocol of AWS that carries JSON (Smithy `aws.protocols#awsJson1_0` and `#awsJson1_1`). */
export interface AwsJsonProtocol {
  version: '1.0' | '1.1';
  /** Smithy namespace of its errors. */
  namespace: string;
  /** IAM's prefix of its actions, which is also the name that its requests are signed for. */
  iamPrefix: string;
  /** How far the time of a signature may be off. */
  signatureWindowMinutes: number;
  /** The status of a response to a wrong signature. */
  signatureStatus: number;
  /** For a service that used to speak AWS Query: the error codes that differed there. */
  queryErrorCodes?: Record<string, string>;
}

/** A request whose signature is right. */
export interface SignedCall {
  /** As in `X-Amz-Target`. */
  target: string;
  body: Buffer;
  accessKeyId: string;
  /** Aborted when the caller is gone. */
  signal: AbortSignal;
}

/** JSON, with 200 if there is no other status. */
export interface JsonResponse {
  status?: number;
  body: string | Buffer;
}

export interface AwsJsonOptions {
  port?: number | undefined;
  region: string;
  signers: Signers;
}

const signatureErrors: Record<SignatureFault, string> = {
  missing: 'MissingAuthenticationTokenException',
  malformed: 'IncompleteSignatureException',
  'unknown key': 'UnrecognizedClientException',
  'wrong time': 'InvalidSignatureException',
  different: 'InvalidSignatureException',
};

// The largest request, a batch of 1 MiB, grows to six times its size when every character is escaped. One of DynamoDB
// has at most 16 MB.
export const maxBodyBytes = 16 * 1024 * 1024;

/** Serves on loopback until it is closed. `respond` may throw `AwsError`. */
export function serveSignedJson(
  protocol: AwsJsonProtocol,
  { port = 0, region, signers }: AwsJsonOptions,
  respond: (call: SignedCall) => Promise<JsonResponse>,
): Promise<LoopbackServer> {
  const { iamPrefix: service, signatureWindowMinutes: windowMinutes, signatureStatus } = protocol;

  async function verify(request: IncomingMessage, body: Buffer): Promise<string> {
    try {
      return await verifySignature(request, sha256Hex(body), { service, region, windowMinutes }, signers);
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      throw new AwsError(signatureErrors[error.fault], error.message, signatureStatus);
    }
  }

  async function responseTo(request: IncomingMessage, signal: AbortSignal): Promise<JsonResponse> {
    const body = await readBody(request, maxBodyBytes);
    if (body === undefined) throw new AwsError('RequestEntityTooLarge', 'The request is too large.', 413);
    const accessKeyId = await verify(request, body);
    return respond({ target: String(request.headers['x-amz-target']), body, accessKeyId, signal });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.setHeader('content-type', `application/x-amz-json-${protocol.version}`);
    response.setHeader('x-amzn-requestid', randomUUID());
    // The SDK corrects a wrong clock by it.
    response.setHeader('date', new Date(signers.now()).toUTCString());
    try {
      const { status = 200, body } = await responseTo(request, gone.signal);
      response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
    } catch (error) {
      if (!request.complete) response.destroy();
      else respondError(protocol, response, error);
    }
  }

  const options = { hosts: [containerHost], acceptsAddresses: true };
  return listenOnLoopback(createServer(localRequests((...exchange) => void handle(...exchange), options)), port);
}

function respondError({ namespace, queryErrorCodes }: AwsJsonProtocol, response: ServerResponse, error: unknown): void {
  const isAwsError = error instanceof AwsError;
  if (!isAwsError) console.error(error);
  const { code, message, status } = isAwsError ? error : new AwsError('InternalFailure', String(error), 500);
  const fault = status < 500 ? 'Sender' : 'Receiver';
  if (queryErrorCodes) response.setHeader('x-amzn-query-error', `${queryErrorCodes[code] ?? code};${fault}`);
  const body = JSON.stringify({ __type: `${namespace}#${code}`, message });
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
}

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

/** A service whose operations are here. */
export interface AwsJsonService extends AwsJsonProtocol {
  /** The part of `X-Amz-Target` before the operation's name. */
  target: string;
  accessDenied: AccessDenied;
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

export interface AwsServiceOptions extends AwsJsonOptions {
  authorize?: Authorize | undefined;
}

/** Serves a service on loopback until it is closed. */
export function serveAwsJson(service: AwsJsonService, options: AwsServiceOptions): Promise<LoopbackServer> {
  return serveSignedJson(service, options, async ({ target, body, accessKeyId, signal }) => {
    const [, name = ''] = target.split('.');
    const operation = Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
    if (operation === undefined || target !== `${service.target}.${name}`) {
      throw new AwsError('UnknownOperationException', `The local ${service.target} does not know ${target}.`);
    }
    const input = parseJson(body.toString());
    if (input === undefined) throw new AwsError('SerializationException', 'The request is not JSON.');
    // IAM has no batch actions. The permission for the single action covers the batch.
    const action = `${service.iamPrefix}:${name.replace(/Batch$/, '')}`;
    const output = await operation(input, {
      ...{ accessKeyId, signal },
      demandAccess: (resource) =>
        demandAccess(options.authorize, { accessKeyId, action, resource }, service.accessDenied),
    });
    return { body: JSON.stringify(output ?? {}) };
  });
}
