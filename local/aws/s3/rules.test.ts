import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { type StrictRule, testStrictRules } from '#support/strict-rules.ts';
import type { LoopbackServer } from '../base/http/loopback.ts';
import { startS3 } from './server.ts';

const Bucket = 'media';
/** With fractions of a second, which no header has. */
const stored = Date.UTC(2026, 0, 31, 12, 0, 0, 500);
const second = (offset: number) => new Date(Math.floor(stored / 1000 + offset) * 1000);

let dataDir: string;
let server: LoopbackServer;
let s3: S3Client;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 's3-rules-'));
  server = await startS3({ dataDir, buckets: [Bucket], now: () => stored, signers: testSigners });
  s3 = new S3Client({
    region: 'us-east-1',
    endpoint: server.url,
    credentials: testCredentials,
    maxAttempts: 1,
  });
});
afterEach(async () => {
  s3.destroy();
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const etag = (body: string) => `"${createHash('md5').update(body).digest('hex')}"`;
const put = (input: Partial<PutObjectCommandInput>) => () =>
  s3.send(new PutObjectCommand({ Bucket, Key: 'key', Body: 'x', ...input }));
/** Writes an object that exists already, with the body `x`. */
const replace = (input: Partial<PutObjectCommandInput>) => async () => {
  await put({})();
  return put(input)();
};
const get = (input: Partial<GetObjectCommandInput>) => async () => {
  await put({ Body: '0123456789' })();
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'key', ...input })).catch(nameNotModified);
  return Body?.transformToString();
};
/** The SDK has no name for a 304, which is not an error to S3. */
function nameNotModified(error: unknown): never {
  const isNotModified = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 304;
  throw isNotModified ? Object.assign(error, { name: 'NotModified' }) : error;
}
const copy = (input: Partial<CopyObjectCommandInput>) => async () => {
  await put({})();
  return s3.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/key`, ...input }));
};
const list = (input: Partial<ListObjectsV2CommandInput>) => () =>
  s3.send(new ListObjectsV2Command({ Bucket, ...input }));
const listNext = (change: (token: string) => string) => async () => {
  for (const Key of ['a', 'b']) await put({ Key })();
  const { NextContinuationToken = '' } = await list({ MaxKeys: 1 })();
  return list({ ContinuationToken: change(NextContinuationToken) })();
};
/** Sends a header with a value that the SDK cannot send. */
const withHeader =
  <T>(name: string, value: string, request: () => Promise<T>) =>
  () => {
    const add = (received: unknown) => {
      (received as { headers: Record<string, string> }).headers[name] = value;
      return received;
    };
    s3.middlewareStack.add((next) => (args) => next({ ...args, request: add(args.request) }), { step: 'build' });
    return request();
  };

const partBytes = 5 * 1024 ** 2;
const startUpload = async () => {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'key' }));
  return { Bucket, Key: 'key', UploadId };
};
const uploadPart = (PartNumber: number) => async () =>
  s3.send(new UploadPartCommand({ ...(await startUpload()), PartNumber, Body: 'x' }));
interface Uploaded {
  PartNumber: number;
  ETag: string | undefined;
}
const upload = (bodies: readonly Buffer[], listed: (parts: Uploaded[]) => Uploaded[]) => async () => {
  const target = await startUpload();
  const parts: Uploaded[] = [];
  for (const [index, Body] of bodies.entries()) {
    const PartNumber = index + 1;
    const { ETag } = await s3.send(new UploadPartCommand({ ...target, PartNumber, Body }));
    parts.push({ PartNumber, ETag });
  }
  return s3.send(new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts: listed(parts) } }));
};
const asTheyAre = (parts: Uploaded[]) => parts;
const small = Buffer.from('x');
const large = Buffer.alloc(partBytes);

/** `page` is an action of the S3 API Reference, or the title of another of its pages or of one of the User Guide. */
const rules: readonly StrictRule[] = [
  {
    rule: 'a key has at most 1,024 bytes',
    page: 'Naming Amazon S3 objects',
    accepted: put({ Key: 'ü'.repeat(512) }),
    rejected: put({ Key: 'ü'.repeat(513) }),
    error: 'KeyTooLongError',
  },
  {
    rule: 'the metadata of an object have at most 2 KB',
    page: 'Working with object metadata',
    accepted: put({ Metadata: { a: 'x'.repeat(2047) } }),
    rejected: put({ Metadata: { a: 'x'.repeat(2048) } }),
    error: 'MetadataTooLarge',
  },
  {
    rule: 'a Content-MD5 is a digest in base64',
    page: 'Error responses, "InvalidDigest"',
    accepted: put({ ContentMD5: 'ndTkYSaMgDT1yFZOFVxnpg==', Body: 'x' }),
    rejected: put({ ContentMD5: 'x' }),
    error: 'InvalidDigest',
  },
  {
    rule: 'a Content-MD5 is that of the body',
    page: 'PutObject, "Content-MD5"',
    accepted: put({ ContentMD5: createHash('md5').update('x').digest('base64') }),
    rejected: put({ ContentMD5: createHash('md5').update('y').digest('base64') }),
    error: 'BadDigest',
  },
  {
    rule: 'a checksum is that of the body',
    page: 'Checking object integrity in Amazon S3',
    accepted: put({ Body: 'hello', ChecksumCRC32: 'NhCmhg==' }),
    rejected: put({ Body: 'hello', ChecksumCRC32: 'AAAAAA==' }),
    error: 'BadDigest',
  },
  {
    rule: 'a checksum that is not calculated here is an error',
    page: 'Checking object integrity in Amazon S3',
    accepted: put({ ChecksumAlgorithm: 'CRC32' }),
    rejected: put({ ChecksumAlgorithm: 'SHA256' }),
    error: 'NotImplemented',
  },
  {
    rule: 'an object is created only if there is none with its key',
    page: 'How to prevent object overwrites with conditional writes',
    accepted: put({ IfNoneMatch: '*' }),
    rejected: replace({ IfNoneMatch: '*' }),
    error: 'PreconditionFailed',
  },
  {
    rule: 'a write expects no object, or one that has a given entity tag',
    page: 'PutObject, "If-None-Match"',
    accepted: put({ IfNoneMatch: '*' }),
    rejected: put({ IfNoneMatch: etag('x') }),
    error: 'NotImplemented',
  },
  {
    rule: 'an object is replaced only if it has the expected entity tag',
    page: 'How to prevent object overwrites with conditional writes',
    accepted: replace({ IfMatch: etag('x') }),
    rejected: replace({ IfMatch: etag('y') }),
    error: 'PreconditionFailed',
  },
  {
    rule: 'an object that is expected exists',
    page: 'How to prevent object overwrites with conditional writes',
    accepted: replace({ IfMatch: etag('x') }),
    rejected: put({ IfMatch: etag('x') }),
    error: 'NoSuchKey',
  },
  {
    rule: 'an object of a bucket that owns its objects has no access control list',
    page: 'Controlling ownership of objects and disabling ACLs for your bucket',
    accepted: put({}),
    rejected: put({ ACL: 'public-read' }),
    error: 'AccessControlListNotSupported',
  },
  ...(
    [
      ['x-amz-storage-class', { StorageClass: 'GLACIER' }],
      ['x-amz-tagging', { Tagging: 'a=b' }],
      ['x-amz-server-side-encryption', { ServerSideEncryption: 'aws:kms' }],
      ['x-amz-expected-bucket-owner', { ExpectedBucketOwner: '111111111111' }],
      ['x-amz-website-redirect-location', { WebsiteRedirectLocation: '/' }],
    ] satisfies [string, Partial<PutObjectCommandInput>][]
  ).map(([name, input]) => ({
    rule: `the header ${name}, which the local S3 does not serve, is an error`,
    page: 'PutObject',
    accepted: put({ CacheControl: 'no-store' }),
    rejected: put(input),
    error: 'NotImplemented',
  })),
  {
    rule: 'a condition of a deletion, which the local S3 does not serve, is an error',
    page: 'DeleteObject, "If-Match"',
    accepted: () => s3.send(new DeleteObjectCommand({ Bucket, Key: 'key' })),
    rejected: () => s3.send(new DeleteObjectCommand({ Bucket, Key: 'key', IfMatch: etag('x') })),
    error: 'NotImplemented',
  },
  {
    rule: 'an object is read only if it has the expected entity tag',
    page: 'GetObject, "If-Match"',
    accepted: get({ IfMatch: etag('0123456789') }),
    rejected: get({ IfMatch: etag('other') }),
    error: 'PreconditionFailed',
  },
  {
    rule: 'an object is read only if it has not changed since',
    page: 'GetObject, "If-Unmodified-Since"',
    accepted: get({ IfUnmodifiedSince: second(0) }),
    rejected: get({ IfUnmodifiedSince: second(-1) }),
    error: 'PreconditionFailed',
  },
  {
    rule: 'the entity tag counts before the time',
    page: 'GetObject, "If-Match"',
    accepted: get({ IfMatch: etag('0123456789'), IfUnmodifiedSince: second(-1) }),
    rejected: get({ IfMatch: etag('other'), IfUnmodifiedSince: second(0) }),
    error: 'PreconditionFailed',
  },
  {
    rule: 'an object that has the known entity tag is not read again',
    page: 'GetObject, "If-None-Match"',
    accepted: get({ IfNoneMatch: etag('other') }),
    rejected: get({ IfNoneMatch: etag('0123456789') }),
    error: 'NotModified',
  },
  {
    rule: 'an object that has not changed since is not read again',
    page: 'GetObject, "If-Modified-Since"',
    accepted: get({ IfModifiedSince: second(-1) }),
    rejected: get({ IfModifiedSince: second(0) }),
    error: 'NotModified',
  },
  {
    rule: 'a range begins within the object',
    page: 'GetObject, "Range"',
    accepted: get({ Range: 'bytes=9-' }),
    rejected: get({ Range: 'bytes=10-' }),
    error: 'InvalidRange',
  },
  {
    rule: 'a part of an object, which the local S3 does not serve, is an error',
    page: 'GetObject, "partNumber"',
    accepted: get({}),
    rejected: get({ PartNumber: 1 }),
    error: 'NotImplemented',
  },
  {
    rule: 'a version of an object, which the local S3 does not serve, is an error',
    page: 'GetObject, "versionId"',
    accepted: get({}),
    rejected: get({ VersionId: 'x' }),
    error: 'NotImplemented',
  },
  {
    rule: 'an object is copied onto itself only with new metadata',
    page: 'CopyObject',
    accepted: copy({ Key: 'key', MetadataDirective: 'REPLACE' }),
    rejected: copy({ Key: 'key' }),
    error: 'InvalidRequest',
  },
  {
    rule: 'metadata are copied or replaced',
    page: 'CopyObject, "x-amz-metadata-directive"',
    accepted: copy({ MetadataDirective: 'COPY' }),
    rejected: copy({ MetadataDirective: 'KEEP' as 'COPY' }),
    error: 'InvalidArgument',
  },
  {
    rule: 'a list that counts its keys counts from 0',
    page: 'ListObjectsV2, "max-keys"',
    accepted: list({ MaxKeys: 0 }),
    rejected: list({ MaxKeys: -1 }),
    error: 'InvalidArgument',
  },
  {
    rule: 'the next page of a list comes from a page',
    page: 'ListObjectsV2, "continuation-token"',
    accepted: listNext((token) => token),
    rejected: listNext((token) => `${token}!`),
    error: 'InvalidArgument',
  },
  {
    rule: 'a delimiter, which the local S3 does not serve, is an error',
    page: 'ListObjectsV2, "delimiter"',
    accepted: list({ Prefix: 'a/' }),
    rejected: list({ Delimiter: '/' }),
    error: 'NotImplemented',
  },
  {
    rule: 'parts have numbers from 1',
    page: 'Amazon S3 multipart upload limits',
    accepted: uploadPart(1),
    rejected: uploadPart(0),
    error: 'InvalidArgument',
  },
  {
    rule: 'parts have numbers up to 10,000',
    page: 'Amazon S3 multipart upload limits',
    accepted: uploadPart(10_000),
    rejected: uploadPart(10_001),
    error: 'InvalidArgument',
  },
  {
    rule: 'a part that is not the last has at least 5 MiB',
    page: 'Amazon S3 multipart upload limits',
    accepted: upload([large, small], asTheyAre),
    rejected: upload([large.subarray(1), small], asTheyAre),
    error: 'EntityTooSmall',
  },
  {
    rule: 'parts are listed in order',
    page: 'CompleteMultipartUpload',
    accepted: upload([large, small], asTheyAre),
    rejected: upload([large, small], (parts) => parts.toReversed()),
    error: 'InvalidPartOrder',
  },
  {
    rule: 'parts are listed with the entity tags that they got',
    page: 'CompleteMultipartUpload',
    accepted: upload([small], asTheyAre),
    rejected: upload([small], (parts) => parts.map((part) => ({ ...part, ETag: etag('y') }))),
    error: 'InvalidPart',
  },
  {
    rule: 'an upload has parts',
    page: 'CompleteMultipartUpload',
    accepted: upload([small], asTheyAre),
    rejected: upload([small], () => []),
    error: 'MalformedXML',
  },
  {
    rule: 'an upload that is completed exists',
    page: 'UploadPart',
    accepted: uploadPart(1),
    rejected: () =>
      s3.send(new UploadPartCommand({ Bucket, Key: 'key', UploadId: 'missing', PartNumber: 1, Body: 'x' })),
    error: 'NoSuchUpload',
  },
  {
    rule: 'a part of an upload takes no condition',
    page: 'UploadPart',
    accepted: uploadPart(1),
    rejected: withHeader('if-none-match', '*', uploadPart(1)),
    error: 'NotImplemented',
  },
];

testStrictRules(rules);

it.each([
  ['a part of an object that is still the same', '0123456789', '23'],
  ['the whole object if it has changed', 'other', '0123456789'],
])('a resumed download gets %s (RFC 9110, "If-Range")', async (_, content, body) => {
  await put({ Body: '0123456789' })();
  const part = new GetObjectCommand({ Bucket, Key: 'key', Range: 'bytes=2-3' });
  const { Body } = await withHeader('if-range', etag(content), () => s3.send(part))();
  expect(await Body?.transformToString()).toBe(body);
});
