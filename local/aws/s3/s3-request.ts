import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsError } from '../base/aws-error.ts';
import { type Authorize, demandAccess, type RequestContext } from '../base/signatures/aws-access.ts';
import {
  isPresigned,
  SignatureError,
  type SignatureFault,
  type Signers,
  verifySignature,
} from '../base/signatures/signature-v4.ts';

/** A request in path style, `/bucket/key`, from a known sender. */
export interface S3Request {
  http: IncomingMessage;
  response: ServerResponse;
  method: string;
  bucket: string;
  /** Empty if the request is about the bucket. */
  key: string;
  query: URLSearchParams;
  /** The SHA-256 of the body in hexadecimal digits, if it is signed. */
  contentHash: string | undefined;
  /** Throws `AwsError` `AccessDenied` unless the sender may do this, for example `GetObject`. */
  demandAccess(action: string, resource: string, context?: RequestContext): void;
}

const maxKeyBytes = 1024;
const unsignedPayload = 'UNSIGNED-PAYLOAD';

const signatureErrors: Record<SignatureFault, string> = {
  missing: 'AccessDenied',
  malformed: 'AuthorizationHeaderMalformed',
  'unknown key': 'InvalidAccessKeyId',
  'wrong time': 'RequestTimeTooSkewed',
  different: 'SignatureDoesNotMatch',
};

export interface S3RequestOptions {
  region: string;
  signers: Signers;
  authorize: Authorize | undefined;
}

/** Throws `AwsError` for a request without a valid signature, and for a path that cannot be read. */
export async function readS3Request(
  http: IncomingMessage,
  response: ServerResponse,
  options: S3RequestOptions,
): Promise<S3Request> {
  const { method = 'GET', url = '/', headers } = http;
  const { 'x-amz-content-sha256': hash = unsignedPayload } = headers;
  const accessKeyId = await verify(http, String(hash), options);
  // Does not use `URL`, which would resolve `..` and `//`. Both are allowed in keys.
  const [, bucket = '', encodedKey = '', query] = /^\/?([^/?]*)\/?([^?]*)\??(.*)$/s.exec(url) ?? [];
  return {
    ...{ http, response, method, bucket, key: decodeKey(encodedKey), query: new URLSearchParams(query) },
    contentHash: hash === unsignedPayload ? undefined : String(hash),
    demandAccess: (action, resource, context) => {
      const access = { accessKeyId, action: `s3:${action}`, resource: `arn:aws:s3:::${resource}` };
      const denied = { code: 'AccessDenied', status: 403 };
      demandAccess(options.authorize, { ...access, ...(context && { context }) }, denied);
    },
  };
}

/**
 * Verifies the signature in the `Authorization` header or, for a presigned URL, in the query. Returns the access key
 * id. The body is compared with the signed hash when it has been read.
 */
async function verify(http: IncomingMessage, hash: string, { region, signers }: S3RequestOptions): Promise<string> {
  const presigned = isPresigned(http);
  if (presigned && http.headers.authorization !== undefined) {
    throw new AwsError('InvalidArgument', 'Only one signature is allowed: that of the URL, or that of the header.');
  }
  if (hash !== unsignedPayload && !/^[0-9a-f]{64}$/.test(hash)) {
    throw new AwsError('NotImplemented', `The local S3 does not know a body with the hash ${hash}`, 501);
  }
  try {
    const scope = { service: 's3', region, windowMinutes: 15 };
    return await verifySignature(http, presigned ? unsignedPayload : hash, scope, signers);
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    throw new AwsError(signatureErrors[error.fault], error.message, error.fault === 'malformed' ? 400 : 403);
  }
}

/** Throws `AwsError` `InvalidURI` or `KeyTooLongError`. */
function decodeKey(encoded: string): string {
  let key: string;
  try {
    key = decodeURIComponent(encoded);
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
  if (Buffer.byteLength(key) > maxKeyBytes) throw new AwsError('KeyTooLongError', 'Your key is too long');
  return key;
}
