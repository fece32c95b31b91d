import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchBucket,
  NoSuchKey,
  NoSuchUpload,
  NotFound,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { signedHeaders } from '#support/http/signed-request.ts';
import type { LoopbackServer } from '../base/http/loopback.ts';
import type { Authorize } from '../base/signatures/aws-access.ts';
import { type S3Options, startS3 } from './server.ts';

const Bucket = 'media';

let time: number;
/** How far the clock of signatures is ahead of the client's. */
let aheadMs: number;
const signers = { ...testSigners, now: () => Date.now() + aheadMs };
let dataDir: string;
let server: LoopbackServer;
let s3: S3Client;

async function start(options: Partial<S3Options> = {}): Promise<void> {
  server = await startS3({ dataDir, buckets: [Bucket, 'other'], now: () => time, signers, ...options });
  s3 = new S3Client({
    region: 'us-east-1',
    endpoint: server.url,
    credentials: testCredentials,
    maxAttempts: 1,
  });
}

async function stop(): Promise<void> {
  s3.destroy();
  await server.close();
}

beforeEach(async () => {
  time = Date.UTC(2026, 0, 31, 12);
  aheadMs = 0;
  dataDir = mkdtempSync(join(tmpdir(), 's3-'));
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('responds under the names that it was given, so that a presigned URL works for a container', async () => {
  await stop();
  await start({ hosts: ['172.17.0.1'] });
  const statusFor = (host: string) =>
    new Promise((resolve, reject) => {
      httpRequest(`${server.url}/${Bucket}/key`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  expect(await statusFor('172.17.0.1:4002')).toBe(403);
  expect(await statusFor('172.17.0.2:4002')).toBe(421);
});

const put = (
  Key: string,
  Body: NonNullable<PutObjectCommandInput['Body']>,
  more: Partial<PutObjectCommandInput> = {},
) => s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
const text = async (Key: string) => (await get(Key)).Body?.transformToString();
const files = () => readdirSync(join(dataDir, Bucket, 'files'));
const md5 = (data: string | Buffer) => createHash('md5').update(data).digest('hex');

describe('objects', () => {
  it('are returned as they were stored', async () => {
    const { ETag } = await put('greeting.txt', 'hello', {
      ContentType: 'text/plain',
      ContentDisposition: 'attachment',
      ContentEncoding: 'identity',
      CacheControl: 'max-age=60',
      Metadata: { Origin: 'test' },
    });
    expect(ETag).toBe(`"${md5('hello')}"`);
    const object = await get('greeting.txt');
    expect(await object.Body?.transformToString()).toBe('hello');
    const described = {
      ContentType: 'text/plain',
      ContentLength: 5,
      ContentDisposition: 'attachment',
      ContentEncoding: 'identity',
      CacheControl: 'max-age=60',
      Metadata: { origin: 'test' },
      LastModified: new Date(time),
      ETag,
    };
    expect(object).toMatchObject({ ...described, ChecksumCRC32: 'NhCmhg==' });
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key: 'greeting.txt' }))).toMatchObject(described);
  });

  it('are replaced and deleted without remains', async () => {
    await put('one', 'first');
    await put('one', 'second');
    expect(await text('one')).toBe('second');
    expect(files()).toHaveLength(1);
    for (let n = 0; n < 2; n += 1) await s3.send(new DeleteObjectCommand({ Bucket, Key: 'one' }));
    await expect(get('one')).rejects.toBeInstanceOf(NoSuchKey);
    expect(files()).toEqual([]);
  });
});

describe('ranges', () => {
  beforeEach(async () => {
    await put('digits', '0123456789');
  });

  it('return a part of an object', async () => {
    const part = await get('digits', { Range: 'bytes=2-4' });
    expect(await part.Body?.transformToString()).toBe('234');
    expect(part).toMatchObject({
      $metadata: { httpStatusCode: 206 },
      ContentRange: 'bytes 2-4/10',
      ContentLength: 3,
      AcceptRanges: 'bytes',
    });
    expect(await (await get('digits', { Range: 'bytes=-2' })).Body?.transformToString()).toBe('89');
  });

  it('reject a range beyond the end', async () => {
    await expect(get('digits', { Range: 'bytes=10-' })).rejects.toMatchObject({
      name: 'InvalidRange',
      $metadata: { httpStatusCode: 416 },
    });
  });
});

describe('errors', () => {
  it('are the exceptions of the SDK', async () => {
    await expect(get('missing')).rejects.toBeInstanceOf(NoSuchKey);
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key: 'missing' }))).rejects.toBeInstanceOf(NotFound);
    const elsewhere = { Bucket: 'missing', Key: 'x' };
    await expect(s3.send(new GetObjectCommand(elsewhere))).rejects.toBeInstanceOf(NoSuchBucket);
    await expect(s3.send(new PutObjectCommand({ ...elsewhere, Body: 'x' }))).rejects.toBeInstanceOf(NoSuchBucket);
  });

  it('are returned for damaged bodies, which leave nothing', async () => {
    await expect(put('bad', 'hello', { ChecksumCRC32: 'AAAAAA==' })).rejects.toMatchObject({ name: 'BadDigest' });
    await expect(get('bad')).rejects.toBeInstanceOf(NoSuchKey);
    expect(files()).toEqual([]);
  });

  it('end an interrupted upload, which leaves nothing', async () => {
    const upload = await requestTo('/media/broken', { 'content-length': '1000' });
    upload.on('error', () => undefined);
    upload.write('half');
    await expect.poll(files).toHaveLength(1);
    upload.destroy();
    await expect.poll(files).toEqual([]);
    await expect(get('broken')).rejects.toBeInstanceOf(NoSuchKey);
  });

  it('are returned for unsupported operations, and for paths that cannot be decoded', async () => {
    await put('one', 'x');
    await expect(s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'one' }))).rejects.toMatchObject({
      name: 'NotImplemented',
    });
    await expect(s3.send(new ListObjectsV2Command({ Bucket, Delimiter: '/' }))).rejects.toMatchObject({
      name: 'NotImplemented',
    });
    await expect(put('one', 'y', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'NotImplemented' });
    const CopySource = `${Bucket}/one`;
    await expect(s3.send(new CopyObjectCommand({ Bucket, Key: 'two', CopySource }))).rejects.toMatchObject({
      name: 'NotImplemented',
    });
    expect((await raw('/media/one?tagging', { 'content-length': '1' }, 'y')).status).toBe(501);
    expect((await raw('/media/%zz', { 'content-length': '1' }, 'y')).status).toBe(400);
    expect(await text('one')).toBe('x');
  });
});

describe('listing', () => {
  it('returns pages in the order of UTF-8', async () => {
    const keys = ['a', 'a/1', 'a/2', 'a/3', 'b', '\u{ffee}', '\u{1f600}'];
    for (const key of [...keys].reverse()) await put(key, key);
    const listed: unknown[] = [];
    let page: { ContinuationToken?: string | undefined } = {};
    do {
      const answer = await s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 3, ...page }));
      expect(answer.KeyCount).toBeLessThanOrEqual(3);
      listed.push(...(answer.Contents ?? []).map(({ Key }) => Key));
      page = { ContinuationToken: answer.NextContinuationToken };
    } while (page.ContinuationToken);
    expect(listed).toEqual(keys);
    const some = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'a/' }));
    expect(some).toMatchObject({ IsTruncated: false, KeyCount: 3 });
    expect(some.Contents?.[1]).toEqual({
      Key: 'a/2',
      Size: 3,
      ETag: `"${md5('a/2')}"`,
      LastModified: new Date(time),
      StorageClass: 'STANDARD',
    });
  });
});

describe('multipart uploads', () => {
  const Key = 'parts';
  const begin = async () => {
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'video/mp4' }));
    return UploadId;
  };
  const upload = async (UploadId: string | undefined, PartNumber: number, Body: string) => {
    const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    return { PartNumber, ETag };
  };
  const complete = (UploadId: string | undefined, Parts: { PartNumber: number; ETag: string | undefined }[]) =>
    s3.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts: Parts.map(({ PartNumber, ETag = '' }) => ({ PartNumber, ETag })) },
      }),
    );

  it('are joined from their parts', async () => {
    const UploadId = await begin();
    const last = await upload(UploadId, 3, 'end');
    await upload(UploadId, 1, 'replaced');
    const first = await upload(UploadId, 1, 'first');
    const { ETag } = await complete(UploadId, [first, last]);
    const digest = (data: string) => createHash('md5').update(data).digest();
    expect(ETag).toBe(`"${md5(Buffer.concat([digest('first'), digest('end')]))}-2"`);
    expect(await get(Key)).toMatchObject({ ContentLength: 8, ContentType: 'video/mp4', ETag });
    expect(await text(Key)).toBe('firstend');
    expect(files()).toHaveLength(1);
    await expect(complete(UploadId, [first, last])).rejects.toBeInstanceOf(NoSuchUpload);
  });

  it('are rejected if parts are wrong', async () => {
    const UploadId = await begin();
    const part = await upload(UploadId, 1, 'small');
    await expect(complete(UploadId, [{ ...part, ETag: '"0"' }])).rejects.toMatchObject({ name: 'InvalidPart' });
    await expect(get(Key)).rejects.toBeInstanceOf(NoSuchKey);
  });

  it('leave nothing if they are aborted', async () => {
    const UploadId = await begin();
    await upload(UploadId, 1, 'x');
    await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    expect(files()).toEqual([]);
    await expect(upload(UploadId, 2, 'x')).rejects.toBeInstanceOf(NoSuchUpload);
  });
});

describe('presigned URLs', () => {
  function presigned(more: Partial<GetObjectCommandInput> = {}): Promise<string> {
    // Otherwise the URL would contain a checksum and ask for one.
    s3.config.requestChecksumCalculation = async () => 'WHEN_REQUIRED';
    s3.config.responseChecksumValidation = async () => 'WHEN_REQUIRED';
    return getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'media/ü.jpg', ...more }), { expiresIn: 60 });
  }
  async function send(url: string, init?: RequestInit) {
    const response = await fetch(url, init);
    const body = await response.text();
    return { status: response.status, headers: response.headers, body, code: /<Code>(\w+)</.exec(body)?.[1] };
  }

  beforeEach(async () => {
    await put('media/ü.jpg', 'bytes', { ContentType: 'image/jpeg' });
  });

  it('return the object, with the type and disposition that they specify', async () => {
    const plain = await send(await presigned());
    expect([plain.status, plain.headers.get('content-type'), plain.body]).toEqual([200, 'image/jpeg', 'bytes']);
    const ResponseContentDisposition = 'attachment; filename="x.jpg"';
    const named = await send(await presigned({ ResponseContentDisposition, ResponseContentType: 'image/x' }));
    expect(named.headers.get('content-disposition')).toBe(ResponseContentDisposition);
    expect(named.headers.get('content-type')).toBe('image/x');
  });

  it('presigned URLs expire after their validity', async () => {
    const link = await presigned();
    const signedAt = Date.parse(
      /X-Amz-Date=(\w+)/.exec(link)?.[1]?.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5') ?? '',
    );
    await stop();
    let now = signedAt + 59_999;
    await start({ port: Number(new URL(link).port), signers: { ...testSigners, now: () => now } });
    expect((await send(link)).status).toBe(200);
    now += 1;
    expect(await send(link)).toMatchObject({ status: 403, code: 'RequestTimeTooSkewed' });
  });

  it.each<[string, string | RegExp, string, string]>([
    ['with a longer validity', 'Expires=60', 'Expires=61', 'SignatureDoesNotMatch'],
    ['with another key', '%C3%BC.jpg', 'other.jpg', 'SignatureDoesNotMatch'],
    ['with another type for the response', /$/, '&response-content-type=text%2Fhtml', 'SignatureDoesNotMatch'],
    ['without a signature', /&X-Amz-Signature=\w+/, '', 'AuthorizationHeaderMalformed'],
  ])('are rejected: a URL %s', async (_, from, to, code) => {
    expect(await send((await presigned()).replace(from, to))).toMatchObject({ code });
  });

  it.each(['PUT', 'DELETE', 'HEAD'])('work for reading, as they were signed, and not for %s', async (method) => {
    const body = method === 'PUT' ? { body: 'other' } : {};
    expect(await send(await presigned(), { method, ...body })).toMatchObject({ status: 403 });
    expect(await text('media/ü.jpg')).toBe('bytes');
  });
});

describe('access', () => {
  it('is limited by the permissions, and a caller who may not list does not learn which keys are missing', async () => {
    const asked: string[] = [];
    const authorize: Authorize = ({ accessKeyId, action, resource }) => {
      asked.push(`${accessKeyId} ${action} ${resource}`);
      if (!['s3:GetObject', 's3:PutObject'].includes(action)) throw new Error(`not authorized to perform ${action}`);
    };
    await stop();
    await start({ authorize });
    await put('a/b', 'x');
    expect(await text('a/b')).toBe('x');
    await expect(get('missing')).rejects.toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    await expect(s3.send(new DeleteObjectCommand({ Bucket, Key: 'a/b' }))).rejects.toMatchObject({
      name: 'AccessDenied',
      message: 'not authorized to perform s3:DeleteObject',
    });
    expect(asked).toEqual([
      'test s3:PutObject arn:aws:s3:::media/a/b',
      'test s3:GetObject arn:aws:s3:::media/a/b',
      'test s3:GetObject arn:aws:s3:::media/missing',
      'test s3:ListBucket arn:aws:s3:::media',
      'test s3:DeleteObject arn:aws:s3:::media/a/b',
    ]);
  });
});

describe('lifecycle', () => {
  it('keeps objects between runs, and removes the remains of a kill', async () => {
    await put('kept', 'hello', { Metadata: { a: '1' } });
    await stop();
    writeFileSync(join(dataDir, Bucket, 'files', 'stray'), 'half');
    await start();
    expect(await text('kept')).toBe('hello');
    expect((await get('kept')).Metadata).toEqual({ a: '1' });
    expect(files()).toHaveLength(1);
  });
});

/** A signed PUT with these headers. */
async function requestTo(path: string, headers: Record<string, string>) {
  const url = server.url + path;
  const all = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers };
  const signed = await signedHeaders(url, { service: 's3', method: 'PUT', headers: all });
  return httpRequest(url, { method: 'PUT', headers: signed });
}

/** The response to a signed PUT with these headers; without a body it does not wait to send one. */
async function raw(path: string, headers: Record<string, string>, body?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; text: string }>();
  const request = await requestTo(path, headers);
  request.on('error', reject);
  request.on('response', async (response) => {
    const chunks = await response.setEncoding('utf8').toArray();
    resolve({ status: response.statusCode, text: chunks.join('') });
    request.destroy();
  });
  if (body === undefined) request.flushHeaders();
  else request.end(body);
  return promise;
}
