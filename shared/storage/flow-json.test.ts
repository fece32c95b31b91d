import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LoopbackServer } from '../../local/loopback.ts';
import { startS3 } from '../../local/s3/server.ts';
import type { StoredJson } from '../flows/flow.ts';
import { blobStore } from './blobs.ts';
import { flowJsonStore, jsonBytes } from './flow-json.ts';

const bucket = 'messaging-test';
const blobs = blobStore(bucket);
const flowJson = flowJsonStore(blobs);
const flow = '018f0000-0000-7000-8000-0000000000f1';

let dataDir: string;
let s3: LoopbackServer;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'flow-json-'));
  s3 = await startS3({ dataDir, buckets: [bucket] });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', s3.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** A JSON text of so many bytes, in two bytes a character as far as it goes. */
const textOf = (bytes: number) => `"${'é'.repeat((bytes - 2) / 2)}"`;

describe('a small text', () => {
  it.each(['{}', textOf(150_000)])('stays in the item', async (text) => {
    const json = await flowJson.keep(flow, text);
    expect(json).toEqual({ text });
    expect(await flowJson.read(json)).toBe(text);
    expect(jsonBytes(json)).toBe(Buffer.byteLength(text));
  });
});

describe('a large text', () => {
  const text = textOf(150_002);
  const hash = createHash('sha256').update(text).digest('hex');

  it('goes to the bucket under its hash and comes back to the letter', async () => {
    const json = await flowJson.keep(flow, text);
    expect(json).toEqual({
      blob: expect.stringMatching(`^flows/${flow}/${hash}/[0-9a-f-]{36}[.]json$`),
      bytes: 150_002,
    });
    expect(await flowJson.read(json)).toBe(text);
    expect(jsonBytes(json)).toBe(150_002);
  });

  it('of another Flow is another object, so that one can go without the other', async () => {
    const json = await flowJson.keep(flow, text);
    const other = await flowJson.keep('018f0000-0000-7000-8000-0000000000f2', text);
    await flowJson.discard(other);
    expect(await flowJson.read(other)).toBeUndefined();
    expect(await flowJson.read(json)).toBe(text);
  });

  it('is not there any more once it is discarded, which can be done twice', async () => {
    const json = await flowJson.keep(flow, text);
    await flowJson.discard(json);
    await flowJson.discard(json);
    expect(await flowJson.read(json)).toBeUndefined();
  });
});

it('passes on every other failure of the bucket', async () => {
  const elsewhere = flowJsonStore(blobStore('another-bucket'));
  const json: StoredJson = { blob: 'flows/x.json', bytes: 1 };
  await expect(elsewhere.read(json)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  await expect(elsewhere.keep(flow, textOf(150_002))).rejects.toMatchObject({ name: 'NoSuchBucket' });
});
