import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { defaultRegion } from '../base/account.ts';
import { AwsError } from '../base/aws-error.ts';
import { containerHost, localRequests } from '../base/http/local-requests.ts';
import { type LoopbackServer, listenOnLoopback } from '../base/http/loopback.ts';
import type { Authorize } from '../base/signatures/aws-access.ts';
import type { Signers } from '../base/signatures/signature-v4.ts';
import { Bucket } from './bucket.ts';
import { MultipartUploads } from './multipart-uploads.ts';
import { respondToS3, type S3Context } from './operations.ts';
import { readS3Request, type S3RequestOptions } from './s3-request.ts';
import { xmlDocument } from './xml.ts';

export interface S3Options {
  /** Without it, a free port is used. */
  port?: number;
  dataDir: string;
  buckets: string[];
  region?: string;
  signers: Signers;
  /** The clock of the objects, in milliseconds since 1970. */
  now?: () => number;
  authorize?: Authorize;
  /** Further names of this machine, by which clients of a presigned URL may call the server. */
  hosts?: readonly string[] | undefined;
}

/**
 * Amazon S3 for storing and fetching objects, for the AWS SDK in path style. The SDK uses that style when the endpoint
 * is an IP address.
 */
export async function startS3({
  port = 0,
  dataDir,
  buckets,
  region = defaultRegion,
  signers,
  now = Date.now,
  authorize,
  hosts = [],
}: S3Options): Promise<LoopbackServer> {
  const context: S3Context = {
    buckets: new Map(buckets.map((name) => [name, new Bucket(name, dataDir, now)])),
    uploads: new MultipartUploads(),
  };
  const server = createServer(
    localRequests((request, response) => void respond(request, response, context, { region, signers, authorize }), {
      hosts: [containerHost, ...hosts],
      // Only signed requests are served, and a page may have a signed link.
      acceptsFromForeignPages: 'all',
    }),
  );
  const { url, close } = await listenOnLoopback(server, port);
  return {
    url,
    async close() {
      await close();
      for (const bucket of context.buckets.values()) bucket.close();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  context: S3Context,
  options: S3RequestOptions,
): Promise<void> {
  response.setHeader('x-amz-request-id', randomUUID());
  // The SDK corrects a wrong clock by it.
  response.setHeader('date', new Date(options.signers.now()).toUTCString());
  try {
    await respondToS3(await readS3Request(request, response, options), context);
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else respondError(request, response, error);
  }
}

function respondError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const isAwsError = error instanceof AwsError;
  if (!isAwsError) console.error(error);
  const { code, message, status } = isAwsError ? error : new AwsError('InternalError', String(error), 500);
  const requestId = String(response.getHeader('x-amz-request-id'));
  const xml = Buffer.from(
    xmlDocument('Error', { Code: code, Message: message, Resource: request.url, RequestId: requestId }),
  );
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': xml.length });
  response.end(request.method === 'HEAD' ? undefined : xml);
}
