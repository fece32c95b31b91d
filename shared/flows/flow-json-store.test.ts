import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoopbackServer } from '#local/aws/base/http/loopback.ts';
import { startS3 } from '#local/aws/s3/server.ts';
import { type BlobStore, blobStore, openBucket } from '#shared/aws/bucket.ts';
import { keys } from '#shared/aws/keys.ts';
import { queryPartition } from '#shared/aws/table.ts';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { jsonBytes, type StoredJson } from './flow.ts';
import { type FlowJsonStore, flowJsonStore } from './flow-json-store.ts';

const bucket = 'messaging-test';
const flow = '018f0000-0000-7000-8000-0000000000f1';

let dataDir: string;
let s3: LoopbackServer;
let engine: Awaited<ReturnType<typeof startTestTable>>;
let flowJson: FlowJsonStore;
let blobs: BlobStore;

const blobsIn = (name: string) =>
  blobStore(openBucket(name, { endpoint: s3.url, region: 'us-east-1', credentials: testCredentials }));

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'flow-json-'));
  s3 = await startS3({ dataDir, buckets: [bucket], signers: testSigners });
  blobs = blobsIn(bucket);
  engine = await startTestTable();
  flowJson = flowJsonStore(engine.table, blobs);
});
afterAll(async () => {
  await s3.close();
  await engine.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** A JSON text of this many bytes, mostly in characters of two bytes. */
const textOf = (bytes: number) => `"${'é'.repeat((bytes - 2) / 2)}"`;

describe('a tiny text', () => {
  it.each(['{}', textOf(1_000)])("is stored in the Flow's item", async (text) => {
    const json = await flowJson.keep(flow, text);
    expect(json).toEqual({ text });
    expect(await flowJson.read(json)).toBe(text);
    expect(jsonBytes(json)).toBe(Buffer.byteLength(text));
  });
});

describe('a text', () => {
  it.each([1_002, 150_000])('of %i bytes is stored as an item in a partition of its own', async (bytes) => {
    const text = textOf(bytes);
    const json = await flowJson.keep(flow, text);
    expect(json).toEqual({ item: expect.stringMatching(/^[0-9a-f-]{36}$/), bytes });
    expect(await flowJson.read(json)).toBe(text);
    expect(jsonBytes(json)).toBe(bytes);
    const { pk } = keys.flowJson('item' in json ? json.item : '');
    expect(await Array.fromAsync(queryPartition(engine.table, pk))).toHaveLength(1);
  });

  it('is gone once it is discarded, and can be discarded twice', async () => {
    const json = await flowJson.keep(flow, textOf(2_000));
    await flowJson.discard(json);
    await flowJson.discard(json);
    expect(await flowJson.read(json)).toBeUndefined();
  });
});

it('the texts of a page are returned in the requested order, wherever they are stored', async () => {
  const texts = [textOf(3_000), '{}', textOf(150_002), textOf(5_000)];
  const kept = await Promise.all(texts.map((text) => flowJson.keep(flow, text)));
  const gone = await flowJson.keep(flow, textOf(4_000));
  await flowJson.discard(gone);
  expect(await flowJson.readAll([...kept, gone])).toEqual([...texts, undefined]);
  expect(await flowJson.readAll([])).toEqual([]);
});

describe('a large text', () => {
  const text = textOf(150_002);
  const hash = createHash('sha256').update(text).digest('hex');

  it('is stored in the bucket under its hash and is returned unchanged', async () => {
    const json = await flowJson.keep(flow, text);
    expect(json).toEqual({
      blob: expect.stringMatching(`^flows/${flow}/${hash}/[0-9a-f-]{36}[.]json$`),
      bytes: 150_002,
    });
    expect(await flowJson.read(json)).toBe(text);
    expect(jsonBytes(json)).toBe(150_002);
  });

  it('is a separate object for each Flow, so that one can be deleted without the other', async () => {
    const json = await flowJson.keep(flow, text);
    const other = await flowJson.keep('018f0000-0000-7000-8000-0000000000f2', text);
    await flowJson.discard(other);
    expect(await flowJson.read(other)).toBeUndefined();
    expect(await flowJson.read(json)).toBe(text);
  });

  it('is gone once it is discarded, and can be discarded twice', async () => {
    const json = await flowJson.keep(flow, text);
    await flowJson.discard(json);
    await flowJson.discard(json);
    expect(await flowJson.read(json)).toBeUndefined();
  });
});

it('any other failure of the bucket is passed on', async () => {
  const faulty = flowJsonStore(engine.table, blobsIn('another-bucket'));
  const json: StoredJson = { blob: 'flows/x.json', bytes: 1 };
  await expect(faulty.read(json)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  await expect(faulty.keep(flow, textOf(150_002))).rejects.toMatchObject({ name: 'NoSuchBucket' });
});
