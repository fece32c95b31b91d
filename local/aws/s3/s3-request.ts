import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsError } from '../base/aws-error.ts';
import { type Authorize, demandAccess, type RequestContext } from '../base/signatures/aws-access.ts';
import type { Signers } from '../base/signatures/signature-v4.ts';
import { verifyS3Request } from './s3-signature.ts';

/** A request in path style, `/bucket/key`, from a known sender. */
export interface S3Request {
  http: IncomingMessage;
  response: ServerResponse;
  method: string;
  bucket: string;
  /** Empty if the request is about the bucket. */
  key: string;
  query: URLSearchParams;
  /** Throws `AwsError` `AccessDenied` unless the sender may do this, for example `GetObject`. */
  demandAccess(action: string, resource: string, context?: RequestContext): void;
}

const maxKeyBytes = 1024;

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
  const { path, query } = splitTarget(http.url ?? '/');
  const accessKeyId = await verifyS3Request(http, { path, query }, options);
  const { bucket, key } = splitPath(path);
  return {
    http,
    response,
    method: http.method ?? 'GET',
    bucket,
    key,
    query,
    demandAccess: (action, resource, context) => {
      const access = {
        accessKeyId,
        action: `s3:${action}`,
        resource: `arn:aws:s3:::${resource}`,
        ...(context && { context }),
      };
      demandAccess(options.authorize, access, { code: 'AccessDenied', status: 403 });
    },
  };
}

/** Does not use `URL`, which would resolve `..` and `//`. Both are allowed in keys. */
function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf('?');
  if (mark < 0) return { path: target, query: new URLSearchParams() };
  return { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark + 1)) };
}

/** Splits `/bucket/key` and decodes the key. Throws `AwsError` `InvalidURI` or `KeyTooLongError`. */
export function splitPath(path: string): { bucket: string; key: string } {
  const [, bucket = '', encodedKey = ''] = /^\/?([^/]*)\/?(.*)$/s.exec(path) ?? [];
  const key = decode(encodedKey);
  if (Buffer.byteLength(key) > maxKeyBytes) throw new AwsError('KeyTooLongError', 'Your key is too long');
  return { bucket, key };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
}
