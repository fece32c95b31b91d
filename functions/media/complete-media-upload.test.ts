import { beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '#local/aws/base/http/free-port.ts';
import { newId } from '#shared/base/ids.ts';
import { dayMs } from '#shared/base/time.ts';
import { leaseMs } from '#shared/base/time-limits.ts';
import { upstreamUploads } from '#shared/media/media-graph.ts';
import { uploadKeptDays } from '#shared/media/media-limits.ts';
import { blobOf, type CompletionContext } from '#shared/media/media-upload.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startUploadWorld } from '#support/worlds/upload-world.ts';
import { makeHandler } from './complete-media-upload.ts';
import { completeMediaUpload as contract } from './contracts.ts';

const log = logOfEachTest();

const world = forAllTests(() => startUploadWorld());
beforeEach(() => world.platform.control('DELETE', '/faults'));

const bytes = Buffer.from('%PDF-1.7');

/** An upload whose file is in the bucket, unless the test wants it without one. */
async function newUpload({ number = world.number.id, file = bytes as Buffer | null } = {}): Promise<string> {
  const upload = newId();
  await world.uploads.create({ number, upload }, { type: 'application/pdf', size: bytes.length }, world.clock.now);
  if (file) world.uploaded.set(blobOf({ number, upload }), file);
  return upload;
}

function complete(upload: string, overrides: Partial<CompletionContext> = {}, number = world.number) {
  const contextFor = () => ({ ...world.completion(), ...overrides });
  const operation = {
    contract,
    makeHandler: () => makeHandler({ ...world.dependencies, contextFor }),
  };
  return world.call(operation, number, { pathParameters: { upload } });
}

const platformHas = async () => (await world.files()).length;

describe('complete-media-upload', () => {
  it('passes the file on and returns its id', async () => {
    const { status, json } = await complete(await newUpload());
    expect({ status, json }).toEqual({ status: 200, json: { id: expect.any(String) } });
    const file = (await world.files()).find(({ id }) => id === json.id);
    expect(file).toMatchObject({ mime_type: 'application/pdf', size: bytes.length });
    expect(log).toContainEqual(expect.objectContaining({ event: 'media.uploaded', media: json.id }));
  });

  it('can be repeated: the platform gets the file once', async () => {
    const upload = await newUpload();
    const first = await complete(upload);
    const before = await platformHas();
    expect((await complete(upload)).json).toEqual(first.json);
    expect(await platformHas()).toBe(before);
  });

  it('can be repeated at the same time', async () => {
    const upload = await newUpload();
    const before = await platformHas();
    const replies = await Promise.all(Array.from({ length: 5 }, () => complete(upload)));
    expect(new Set(replies.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
    expect(await platformHas()).toBe(before + 1);
  });

  it('says that the file has not arrived, and can be repeated when it has', async () => {
    const upload = await newUpload({ file: null });
    const { status, json } = await complete(upload);
    expect({ status, message: json.message }).toEqual({
      status: 409,
      message:
        'The file has not arrived yet. Send it to the URL of the upload with PUT, then complete the upload again.',
    });
    world.uploaded.set(blobOf({ number: world.number.id, upload }), bytes);
    expect((await complete(upload)).status).toBe(200);
  });

  it('waits for another request that sends the file, then says when to try again', async () => {
    const upload = await newUpload();
    const key = { number: world.number.id, upload };
    await world.uploads.claim(key, 'another', world.clock.now);
    const before = await platformHas();
    const reply = await complete(upload, { deadline: world.clock.now });
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    await world.uploads.finish(key, 'another', '42');
    expect((await complete(upload)).json).toEqual({ id: '42' });
    expect(await platformHas()).toBe(before);
  });

  it('takes over from a request that died', async () => {
    const upload = await newUpload();
    await world.uploads.claim({ number: world.number.id, upload }, 'another', world.clock.now);
    world.clock.now += leaseMs;
    expect((await complete(upload)).status).toBe(200);
  });

  it('does not take over from a request that died with the last part of the file', async () => {
    const upload = await newUpload();
    const key = { number: world.number.id, upload };
    await world.uploads.claim(key, 'another', world.clock.now);
    await world.uploads.handOver(key, 'another');
    expect((await complete(upload, { deadline: world.clock.now })).status).toBe(503);
    world.clock.now += leaseMs;
    const { status, headers } = await complete(upload);
    expect([status, headers['x-error-code']]).toEqual([504, 'media_upload_outcome_unknown']);
  });

  it('stops before the last part of the file if another request has taken over', async () => {
    const upload = await newUpload();
    const overtaken = { ...world.uploads, handOver: async () => false };
    const before = await platformHas();
    expect((await complete(upload, { uploads: overtaken })).status).toBe(503);
    expect(await platformHas()).toBe(before);
  });

  it('is not repeated if nobody could record that the outcome is unknown', async () => {
    const upload = await newUpload();
    await world.failUpload({ kind: 'accept_then_reset' });
    const unwritable = { ...world.uploads, abandon: () => Promise.reject(new Error('no table')) };
    expect((await complete(upload, { uploads: unwritable })).status).toBe(502);
    const after = await platformHas();
    world.clock.now += leaseMs;
    expect((await complete(upload)).status).toBe(504);
    expect(await platformHas()).toBe(after);
  });

  it('returns the id even if it cannot be recorded', async () => {
    const unwritable = { ...world.uploads, finish: () => Promise.reject(new Error('no table')) };
    expect((await complete(await newUpload(), { uploads: unwritable })).status).toBe(200);
    expect(log).toContainEqual(expect.objectContaining({ event: 'media-upload.not-recorded' }));
  });

  it.each([
    ['rejects the file', 400, { kind: 'error', status: 400, error: { code: 131053 } }],
    ['is unavailable', 502, { kind: 'error', status: 500, error: { code: 131000 } }],
    ['limits requests', 429, { kind: 'error', status: 429, error: { code: 130429 } }],
  ])('can be repeated right after the platform %s', async (_, status, fault) => {
    const upload = await newUpload();
    await world.failUpload(fault);
    const before = await platformHas();
    expect((await complete(upload)).status).toBe(status);
    expect((await complete(upload)).status).toBe(200);
    expect(await platformHas()).toBe(before + 1);
  });

  it.each([
    ['resets the connection', 502, { kind: 'reset' }],
    ['resets the connection after it took the file', 502, { kind: 'accept_then_reset' }],
    ['does not respond', 504, { kind: 'timeout' }],
    ['does not respond after it took the file', 504, { kind: 'accept_then_timeout' }],
    ['sends half of its response', 502, { kind: 'malformed', body: 'truncated_json' }],
    ['fails without saying how', 502, { kind: 'error', status: 500, error: { code: 1 } }],
  ])('never sends a second file when the platform %s', async (_, status, fault) => {
    const upload = await newUpload();
    await world.failUpload(fault);
    // A busy machine needs a moment until the platform has the file.
    const upstream = upstreamUploads(world.graph({ budgetMs: 3_000 }));
    const first = await complete(upload, { upstream });
    expect([first.status, first.headers['x-error-code']]).toEqual([status, 'upstream_outcome_unknown']);
    expect(log).toContainEqual(expect.objectContaining({ event: 'media-upload.outcome-unknown', upload }));

    const after = await platformHas();
    const repeat = await complete(upload);
    expect([repeat.status, repeat.headers['x-error-code']]).toEqual([504, 'media_upload_outcome_unknown']);
    expect(repeat.json.message).toMatch(/not sent again\. Create a new upload if a second copy does no harm/);
    expect(await platformHas()).toBe(after);
  });

  it('can be repeated after the platform was not reachable', async () => {
    const upload = await newUpload();
    const upstream = upstreamUploads(world.graph({ baseUrl: `http://127.0.0.1:${await freePort()}` }));
    expect((await complete(upload, { upstream })).status).toBe(502);
    expect((await complete(upload)).status).toBe(200);
  });

  it('can be repeated after time ran out before the last part of the file', async () => {
    const upload = await newUpload();
    const bucket = {
      sizeOf: async () => 1_000_000,
      async *read() {
        yield bytes;
        await new Promise(() => {});
      },
    };
    const upstream = upstreamUploads(world.graph({ budgetMs: 300 }));
    const first = await complete(upload, { upstream, bucket });
    expect([first.status, first.headers['x-error-code']]).toEqual([504, 'upstream_timeout']);
    expect((await complete(upload)).status).toBe(200);
  });

  it('leaves nothing at the platform if the file cannot be read to its end', async () => {
    const before = await platformHas();
    const bucket = {
      sizeOf: async () => 1_000_000,
      async *read() {
        yield bytes;
        throw new Error('The bucket broke off');
      },
    };
    const upload = await newUpload();
    expect((await complete(upload, { bucket })).status).toBe(500);
    expect(await platformHas()).toBe(before);
    expect((await complete(upload)).status).toBe(200);
  });

  it('is not begun with too little time left', async () => {
    expect((await complete(await newUpload(), { deadline: world.clock.now + 9_000 })).status).toBe(503);
  });

  it('knows no upload that has expired, is of another number, or never was', async () => {
    const elsewhere = await world.newNumber();
    const expired = await newUpload();
    const foreign = await newUpload({ number: elsewhere.id });
    expect((await complete(foreign, {}, elsewhere)).status).not.toBe(404);
    world.clock.now += uploadKeptDays * dayMs;
    for (const upload of [expired, foreign, newId(), 'x', '..']) expect((await complete(upload)).status).toBe(404);
  });
});
