import type { IncomingMessage } from 'node:http';
import { AwsError } from '../base/aws-error.ts';
import { decodeAwsChunked } from './aws-chunked.ts';
import type { ObjectFile } from './object-file.ts';
import { contentHash, isHash } from './s3-signature.ts';

export interface RequestBody {
  bytes: AsyncIterable<Buffer>;
  /** Throws `AwsError` if the written bytes differ from the announced or the signed ones. */
  verify(written: ObjectFile): void;
}

const maxBytes = 5 * 1024 ** 3;

/** Throws `AwsError` `EntityTooLarge`, `InvalidDigest` or `MissingContentLength` before anything is read. */
export function openRequestBody(request: IncomingMessage): RequestBody {
  const { headers } = request;
  const isChunked = String(headers['content-encoding']).split(/, */).includes('aws-chunked');
  const length = Number(
    (isChunked ? headers['x-amz-decoded-content-length'] : headers['content-length']) ?? Number.NaN,
  );
  if (Number.isNaN(length)) {
    throw new AwsError('MissingContentLength', 'You must provide the Content-Length HTTP header.', 411);
  }
  if (length > maxBytes) {
    throw new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed object size.');
  }
  if (headers['content-md5'] !== undefined && !/^[a-z0-9+/]{22}==$/i.test(String(headers['content-md5']))) {
    throw new AwsError('InvalidDigest', 'The Content-MD5 you specified was invalid.');
  }
  const announced: Record<string, string | string[] | undefined> = { ...headers };
  return {
    bytes: isChunked
      ? decodeAwsChunked(request, (name, value) => {
          announced[name] = value;
        })
      : request,
    verify(written) {
      if (written.size !== length) {
        throw new AwsError('IncompleteBody', 'The body is not as long as its Content-Length header says.');
      }
      checkContentHash(request, written.sha256.toString('hex'));
      checkDigest('Content-MD5', announced['content-md5'], written.md5.toString('base64'));
      checkDigest('CRC32', announced['x-amz-checksum-crc32'], crc32Header(written.crc32));
    },
  };
}

/** Throws `AwsError` `XAmzContentSHA256Mismatch` if the signature is for a body with another hash. */
export function checkContentHash({ headers }: IncomingMessage, sha256: string): void {
  const signed = headers[contentHash];
  if (!isHash(signed) || signed === sha256) return;
  throw new AwsError(
    'XAmzContentSHA256Mismatch',
    `The provided '${contentHash}' header does not match what was computed.`,
  );
}

/** The form of `x-amz-checksum-crc32`: base64 of the four bytes, the highest first. */
export function crc32Header(crc32: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32);
  return bytes.toString('base64');
}

function checkDigest(name: string, announced: string | string[] | undefined, calculated: string): void {
  if (announced === undefined || announced === calculated) return;
  throw new AwsError('BadDigest', `The ${name} you specified did not match the calculated checksum.`);
}
