import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoopbackServer } from '#local/aws/base/http/loopback.ts';
import { startS3 } from '#local/aws/s3/server.ts';
import { openBucket } from '#shared/aws/bucket.ts';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import {
  type BucketLink,
  bucketLink,
  type MediaBucket,
  mediaBucket,
  type SignUpload,
  type UploadBucket,
  uploadBucket,
  uploadSigner,
} from './media-bucket-store.ts';

describe('the bucket of copies', () => {
  const mebibyte = 2 ** 20;

  let dataDir: string;
  let server: LoopbackServer;
  let bucket: MediaBucket;
  let readLink: BucketLink;
  /** The actions that the bucket was asked for, and the one that it denies. */
  let actions: string[];
  let denied: string | undefined;
  let clock: number;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'media-bucket-'));
    actions = [];
    denied = undefined;
    clock = Date.now();
    server = await startS3({
      dataDir,
      buckets: ['files'],
      signers: { ...testSigners, now: () => clock },
      authorize: ({ action, resource }) => {
        actions.push(`${action} ${resource.replace('arn:aws:s3:::', '')}`);
        if (action === denied) throw new Error('denied');
      },
    });
    const connection = { endpoint: server.url, region: 'us-east-1', credentials: testCredentials };
    const opened = openBucket('files', connection);
    bucket = mediaBucket(opened);
    readLink = bucketLink(opened);
  });
  afterEach(async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  });

  const files = () => readdir(join(dataDir, 'files', 'files'));
  const link = (key: string) =>
    readLink(key, {
      contentType: 'audio/ogg; codecs=opus',
      contentDisposition: 'attachment; filename="1.ogg"',
      cacheControl: 'private, no-cache',
      expiresInSeconds: 300,
    });

  async function* chunks(bytes: Buffer, size = 64 * 1024) {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }

  describe('save', () => {
    it.each([0, 1, 3 * mebibyte, 5 * mebibyte, 12 * mebibyte])('stores %i bytes as they arrive', async (size) => {
      const bytes = randomBytes(size);
      await bucket.save('media/1', chunks(bytes));
      const stored = await fetch(await link('media/1'));
      expect(bytes.equals(Buffer.from(await stored.arrayBuffer()))).toBe(true);
      expect(await files()).toHaveLength(1);
    });

    it.each([1, 12 * mebibyte])('stores nothing if the bytes end with an error after %i', async (size) => {
      const fault = new Error('not the right bytes');
      const wrong = async function* () {
        yield* chunks(randomBytes(size));
        throw fault;
      };
      await expect(bucket.save('media/1', wrong())).rejects.toBe(fault);
      expect(await files()).toEqual([]);
      expect((await fetch(await link('media/1'))).status).toBe(404);
    });

    it('stops reading if the bucket fails', async () => {
      denied = 's3:PutObject';
      let ended = false;
      const endless = async function* () {
        try {
          for (;;) yield Buffer.alloc(mebibyte);
        } finally {
          ended = true;
        }
      };
      await expect(bucket.save('media/1', endless())).rejects.toMatchObject({ name: 'AccessDenied' });
      expect(ended).toBe(true);
    });

    it('uses only the permissions that the function has', async () => {
      await bucket.save('media/1', chunks(randomBytes(12 * mebibyte)));
      const broken = async function* () {
        yield* chunks(randomBytes(12 * mebibyte));
        throw new Error('broken');
      };
      await expect(bucket.save('media/2', broken())).rejects.toThrow();
      expect(new Set(actions)).toEqual(
        new Set(['s3:PutObject files/media/1', 's3:PutObject files/media/2', 's3:AbortMultipartUpload files/media/2']),
      );
    });
  });

  describe('link', () => {
    it('serves the file, or a range of it, with its own type and name', async () => {
      await bucket.save('media/1', chunks(Buffer.from('0123456789')));
      const url = await link('media/1');
      const whole = await fetch(url);
      expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-type': 'audio/ogg; codecs=opus',
        'content-disposition': 'attachment; filename="1.ogg"',
        'cache-control': 'private, no-cache',
      });
      const part = await fetch(url, { headers: { range: 'bytes=2-4' } });
      expect([part.status, await part.text()]).toEqual([206, '234']);
    });

    it('requires no headers from readers, because only the host is signed', async () => {
      const url = new URL(await link('media/1'));
      expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('host');
      expect([...url.searchParams.keys()].filter((name) => !/^(X-Amz-|response-|x-id$)/.test(name))).toEqual([]);
    });

    it('expires after its validity', async () => {
      await bucket.save('media/1', chunks(Buffer.from('0123456789')));
      const url = await link('media/1');
      clock += 299_000 - 2_000;
      expect((await fetch(url)).status).toBe(200);
      clock += 5_000;
      expect((await fetch(url)).status).toBe(403);
    });
  });
});

describe('the bucket of uploads', () => {
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
});
