import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoopbackServer } from '#local/aws/base/http/loopback.ts';
import { startS3 } from '#local/aws/s3/server.ts';
import { openBucket } from '#shared/aws/bucket.ts';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import type { SignUpload, UploadBucket } from './media-bucket-store.ts';
import { uploadBucket, uploadSigner } from './media-bucket-store.ts';

let dataDir: string;
let server: LoopbackServer;
let sign: SignUpload;
let bucket: UploadBucket;
let clock: number;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'upload-bucket-'));
  clock = Date.now();
  server = await startS3({ dataDir, buckets: ['files'], signers: { ...testSigners, now: () => clock } });
  const connection = { endpoint: server.url, region: 'us-east-1', credentials: testCredentials };
  const files = openBucket('files', connection);
  sign = uploadSigner(files);
  bucket = uploadBucket(files);
});
afterEach(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

const bytes = Buffer.from('%PDF-1.7');
const type = 'application/pdf';
const newUrl = () => sign('uploads/1', { type, size: bytes.length, expiresInSeconds: 60 });
const put = async (url: string, body = bytes, headers: Record<string, string> = { 'content-type': type }) =>
  (await fetch(url, { method: 'PUT', body, headers })).status;

describe('a signed upload', () => {
  it('puts the file into the bucket, without a token', async () => {
    expect(await put(await newUrl())).toBe(200);
    expect(await bucket.sizeOf('uploads/1')).toBe(bytes.length);
    expect(Buffer.concat(await Array.fromAsync(bucket.read('uploads/1')))).toEqual(bytes);
  });

  it('signs the type and the size, and no checksum of nothing', async () => {
    const { searchParams } = new URL(await newUrl());
    expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host');
    expect([...searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
  });

  it.each([
    ['a longer file', Buffer.concat([bytes, bytes]), { 'content-type': type }],
    ['a shorter file', bytes.subarray(1), { 'content-type': type }],
    ['another type', bytes, { 'content-type': 'text/html' }],
    ['no type', bytes, {}],
  ])('a signed upload rejects %s', async (_, body, headers) => {
    expect(await put(await newUrl(), body, headers as Record<string, string>)).toBe(403);
    expect(await bucket.sizeOf('uploads/1')).toBe(undefined);
  });

  it('a signed upload expires', async () => {
    const url = await newUrl();
    clock += 61_000;
    expect(await put(url)).toBe(403);
  });

  it('a signed upload is for one object', async () => {
    expect(await put((await newUrl()).replace('uploads/1', 'uploads/2'))).toBe(403);
  });
});

describe('a file that is not there', () => {
  it('a file that is not there has no size', async () => {
    expect(await bucket.sizeOf('uploads/3')).toBe(undefined);
  });
});
