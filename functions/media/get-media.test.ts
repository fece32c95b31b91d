import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { leaseMs } from '#shared/base/time-limits.ts';
import type { MediaContext } from '#shared/media/copy-media.ts';
import { copyPrefix, validForMs } from '#shared/media/media-copy-store.ts';
import { maxDirectBytes, maxMediaBytes } from '#shared/media/media-limits.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { sha256, startMediaWorld, type UpstreamFixture } from '#support/worlds/media-world.ts';
import { getMedia as contract } from './contracts.ts';
import { makeHandler } from './get-media.ts';

const logged = logOfEachTest();

const world = forAllTests(() => startMediaWorld());

type Overrides = Partial<MediaContext> & { budgetMs?: number };

const get = (id: string, headers: Record<string, string> = {}, overrides: Overrides = {}, number = world.number.id) =>
  world.get(makeHandler(world.dependencies(overrides)), id, { headers, pathParameters: { number } });

const bytes = Buffer.from('0123456789');
const tag = `"${sha256(bytes)}"`;

/** Too large for an answer by a byte. */
const large = randomBytes(maxDirectBytes + 1);

const breaksOff: NonNullable<UpstreamFixture['downloads']>[number] = (response, whole) => {
  response.writeHead(200, { 'content-length': whole.length });
  response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
};
const answers = (status: number) => (response: { writeHead: (status: number) => { end: () => void } }) =>
  response.writeHead(status).end();

describe('a small file', () => {
  it('is returned unchanged, as an attachment that browsers do not run', async () => {
    const id = world.add({ bytes, mime_type: 'audio/ogg; codecs=opus' });
    const { status, headers, bytes: body } = await get(id);
    expect([status, body]).toEqual([200, bytes]);
    expect(headers).toEqual({
      'content-type': 'audio/ogg; codecs=opus',
      'content-disposition': `attachment; filename="${id}.ogg"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'accept-ranges': 'bytes',
      etag: tag,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(world.asked.slice(-2)).toEqual([`describe ${id}`, `download ${id}`]);
    expect(logged).toContainEqual(
      expect.objectContaining({ event: 'media.found', media: id, in: 'memory', bytes: 10 }),
    );
  });

  it('may be empty, or as large as a response can be', async () => {
    for (const size of [maxDirectBytes, 0]) {
      const file = randomBytes(size);
      const { status, bytes: body } = await get(world.add({ bytes: file }));
      expect([status, file.equals(body)]).toEqual([200, true]);
    }
  });

  it.each(['text/html', 'image/svg+xml', 'application/javascript'])(
    'of the type %s is returned as application/octet-stream',
    async (mime_type) => {
      const id = world.add({ bytes, mime_type });
      expect((await get(id)).headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${id}.bin"`,
      });
    },
  );

  it.each<[Record<string, string>, number, string, string | undefined]>([
    [{ range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
    [{ range: 'bytes=0-1,4-5' }, 200, '0123456789', undefined],
    [{ range: 'bytes=2-4', 'if-range': tag }, 206, '234', 'bytes 2-4/10'],
    [{ range: 'bytes=2-4', 'if-range': '"another"' }, 200, '0123456789', undefined],
  ])('is returned as the headers %j ask', async (headers, status, text, range) => {
    const reply = await get(world.add({ bytes }), headers);
    expect([reply.status, reply.bytes.toString(), reply.headers['content-range']]).toEqual([status, text, range]);
    expect(reply.headers).toMatchObject({ etag: tag, 'content-type': 'image/jpeg' });
  });

  it('returns 416 for a range beyond its end', async () => {
    const reply = await get(world.add({ bytes }), { range: 'bytes=10-', 'accept-language': 'es' });
    expect(reply).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } });
    expect(reply.message).toBe('El rango está más allá del final del archivo, que tiene 10 bytes.');
  });

  it.each([tag, `W/${tag}`, '*', `"another", ${tag}`])(
    'is not read if the client already has it: %s',
    async (ifNoneMatch) => {
      const id = world.add({ bytes });
      const { status, headers, bytes: body } = await get(id, { 'if-none-match': ifNoneMatch, range: 'bytes=0-1' });
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
      expect(world.count('download', id)).toBe(0);
    },
  );

  it.each([
    ['small', bytes],
    ['large', large],
  ])('is compared with the client’s copy even if the upstream gives no hash, %s', async (_, file) => {
    const id = world.add({ bytes: file, described: { sha256: undefined } });
    const { status, bytes: body } = await get(id, { 'if-none-match': `"${sha256(file)}"` });
    expect([status, body.length]).toEqual([304, 0]);
  });
});

describe('media that the number does not have', () => {
  const unknown = /has no media with this id for this number/;

  it('gets 404 if the upstream does not know the id', async () => {
    expect(await get('1234567890')).toMatchObject({ status: 404, message: expect.stringMatching(unknown) });
  });

  it('gets 404 if the media belongs to another number', async () => {
    const id = world.add({ bytes });
    expect((await get(id, {}, {}, world.otherNumber.id)).status).toBe(404);
  });

  it.each(['me', '1.2', 'wamid.HBg', '../me', '1%2f2', '1?fields=id', '', 'a'.repeat(129), '1\n'])(
    'gets 404 for the id %j without a request to the upstream',
    async (id) => {
      const before = world.asked.length;
      expect(await get(id)).toMatchObject({ status: 404, message: expect.stringMatching(unknown) });
      expect(world.asked).toHaveLength(before);
    },
  );

  it('has a message other than that of expired media', async () => {
    const rejection = { status: 400, error: { code: 100, error_subcode: 33, message: 'This media has expired' } };
    const reply = await get(world.add({ bytes, rejection }), { 'accept-language': 'pt-BR' });
    expect(reply).toMatchObject({ status: 404, message: expect.stringContaining('Esta mídia expirou') });
  });
});

describe('a download URL', () => {
  it.each([404, 410, 401, 403])('that has expired (%i) is requested again', async (status) => {
    const id = world.add({ bytes, downloads: [answers(status)] });
    expect((await get(id)).status).toBe(200);
    expect([world.count('describe', id), world.count('download', id)]).toEqual([2, 2]);
  });

  it('that has expired twice means that the media has expired', async () => {
    const id = world.add({ bytes, downloads: [answers(404), answers(404), answers(404)] });
    expect(await get(id)).toMatchObject({ status: 404, message: expect.stringMatching(/^This media has expired/) });
    expect(world.count('download', id)).toBe(2);
  });

  it('that rejects our token twice is reported as our own fault', async () => {
    const id = world.add({ bytes, downloads: [answers(401), answers(401)] });
    expect((await get(id)).status).toBe(502);
    expect(logged).toContainEqual(expect.objectContaining({ event: 'upstream.credentials-rejected' }));
  });
});

describe('a download', () => {
  it('that breaks off is restarted once', async () => {
    const id = world.add({ bytes, downloads: [breaksOff] });
    expect((await get(id)).status).toBe(200);
    const worse = world.add({ bytes, downloads: [breaksOff, breaksOff, breaksOff] });
    expect((await get(worse)).status).toBe(502);
    expect(world.count('download', worse)).toBe(2);
  });

  it('that ends early is restarted once', async () => {
    const short: typeof breaksOff = (response, whole) => void response.end(whole.subarray(1));
    expect((await get(world.add({ bytes, downloads: [short] }))).status).toBe(200);
    const reply = await get(world.add({ bytes, downloads: [short, short] }));
    expect(reply).toMatchObject({ status: 502, message: expect.stringMatching(/only part of the file/) });
  });

  it.each([
    ['other bytes', { sha256: 'ab'.repeat(32) }],
    ['more bytes', { file_size: 9 }],
  ])('of %s than announced is discarded', async (_, described) => {
    const id = world.add({ bytes, described });
    const reply = await get(id);
    expect(reply).toMatchObject({ status: 502, message: expect.stringMatching(/size or SHA-256 differ/) });
    expect(world.count('download', id)).toBe(1);
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'media.rejected', media: id, fault: 'altered' }),
    );
    expect(logged).not.toContainEqual(expect.objectContaining({ event: 'request.failed' }));
  });

  it('that never arrives ends in time', async () => {
    const id = world.add({ bytes, downloads: [() => {}] });
    expect((await get(id, {}, { budgetMs: 200 })).status).toBe(504);
  });
});

describe('a large file', () => {
  it('is copied to the bucket, and read from there without a token', async () => {
    const id = world.add({ bytes: large, mime_type: 'video/mp4' });
    const { status, headers, bytes: body } = await get(id);
    expect([status, body.length]).toEqual([302, 0]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });

    const followed = await fetch(String(headers.location));
    expect(large.equals(Buffer.from(await followed.arrayBuffer()))).toBe(true);
    expect(Object.fromEntries(followed.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(large.length),
      'content-disposition': `attachment; filename="${id}.mp4"`,
      'accept-ranges': 'bytes',
    });
    const part = await fetch(String(headers.location), { headers: { range: 'bytes=1-3' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, large.subarray(1, 4)]);
  });

  it('stays in the bucket for a day, without another request to the upstream', async () => {
    const id = world.add({ bytes: large });
    await get(id);
    const before = world.asked.length;
    expect((await get(id)).status).toBe(302);
    expect((await get(id, { 'if-none-match': `"${sha256(large)}"` })).status).toBe(304);
    expect(world.asked).toHaveLength(before);
    world.clock.ahead = validForMs.ready;
    try {
      expect((await get(id)).status).toBe(302);
    } finally {
      world.clock.ahead = 0;
    }
    expect(world.count('download', id)).toBe(2);
  });

  it('stays unknown to other numbers when it is copied', async () => {
    const id = world.add({ bytes: large });
    await get(id);
    expect((await get(id, {}, {}, world.otherNumber.id)).status).toBe(404);
  });

  it('is not copied if the client already has it', async () => {
    const id = world.add({ bytes: large });
    expect((await get(id, { 'if-none-match': `"${sha256(large)}"` })).status).toBe(304);
    expect(world.count('download', id)).toBe(0);
  });

  it('is downloaded once, regardless of the number of requests', async () => {
    const id = world.add({ bytes: large });
    // A few requests that rarely check leave the copy enough of a busy machine, on which the bucket's timeouts are
    // short.
    const replies = await Promise.all(Array.from({ length: 8 }, () => get(id, {}, { pollMs: 500 })));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(302));
    expect(world.count('download', id)).toBe(1);
  });

  it('is assumed if the upstream gives no size', async () => {
    const id = world.add({ bytes, described: { file_size: undefined } });
    const { status, headers } = await get(id);
    expect(status).toBe(302);
    expect(await (await fetch(String(headers.location))).text()).toBe('0123456789');
  });

  it('above the upstream’s maximum is rejected, announced or not', async () => {
    const announced = world.add({ bytes, described: { file_size: maxMediaBytes + 1 } });
    const reply = await get(announced);
    expect(reply).toMatchObject({ status: 502, message: expect.stringMatching(/larger than 100 MB/) });
    expect(world.count('download', announced)).toBe(0);
  });

  it.each([
    ['other bytes', { sha256: 'ab'.repeat(32) }, /size or SHA-256 differ/, 1],
    ['fewer bytes', { file_size: large.length + 1 }, /only part of the file/, 2],
  ])(
    'of %s than announced is never returned, and not requested again immediately',
    async (_, described, text, tries) => {
      const id = world.add({ bytes: large, described });
      const replies = await Promise.all(Array.from({ length: 5 }, () => get(id)));
      for (const reply of replies) expect(reply).toMatchObject({ status: 502, message: expect.stringMatching(text) });
      expect(world.count('download', id)).toBe(tries);
    },
  );

  it('that could not be fetched is tried again only after some seconds', async () => {
    const id = world.add({ bytes: large, downloads: [answers(500), answers(500)] });
    expect((await get(id)).status).toBe(502);
    const early = await get(id);
    expect(early).toMatchObject({ status: 503, message: expect.stringMatching(/could not be fetched/) });
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(early.headers['retry-after'])).toBeLessThanOrEqual(10);
    expect(world.count('download', id)).toBe(2);
    world.clock.ahead = validForMs.failed;
    try {
      expect((await get(id)).status).toBe(302);
    } finally {
      world.clock.ahead = 0;
    }
  });

  it('is unavailable when the bucket fails, which is our own fault', async () => {
    const id = world.add({ bytes: large });
    const save = async () => {
      throw new Error('the bucket is away');
    };
    expect((await get(id, {}, { bucket: { ...world.bucket, save } })).status).toBe(500);
    expect((await get(id)).status).toBe(503);
  });
});

const copiesOf = (media: string) => Array.fromAsync(world.bucket.list(copyPrefix({ number: world.number.id, media })));

describe('a copy that another process is making', () => {
  const claim = (id: string, at = world.clock.now()) =>
    world.copies.claim({ number: world.number.id, media: id }, 'somebody', at);

  it('is awaited by other requests', async () => {
    const id = world.add({ bytes: large });
    await claim(id);
    const waiting = get(id);
    const blob = `media/${newId()}`;
    const ready = { state: 'ready', blob, mime_type: 'video/mp4', sha256: sha256(large), size: large.length } as const;
    await world.copies.storeOutcome({ number: world.number.id, media: id }, 'somebody', ready, world.clock.now());
    const { status, headers } = await waiting;
    expect([status, new URL(String(headers.location)).pathname]).toEqual([302, `/media/${blob}`]);
    expect(world.count('describe', id)).toBe(0);
  });

  it('is not awaited beyond the time of the request', async () => {
    const id = world.add({ bytes: large });
    await claim(id);
    const reply = await get(id, {}, { budgetMs: 50 });
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(logged).toContainEqual(expect.objectContaining({ level: 'info', event: 'media.not-ready', media: id }));
    expect(reply.message).toBe('The file is large and still being fetched. Try again in 5 seconds.');
  });

  it('is taken over when its process has died', async () => {
    const id = world.add({ bytes: large });
    await claim(id, world.clock.now() - leaseMs + 100);
    const replies = await Promise.all([get(id), get(id), get(id)]);
    expect(replies.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(world.count('download', id)).toBe(1);
  });

  it('is not taken over if too little time remains', async () => {
    const id = world.add({ bytes: large });
    const reply = await get(id, {}, { budgetMs: 9_000 });
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(world.count('download', id)).toBe(0);
  });

  it('decides alone after it has taken over, and our file does not stay', async () => {
    const id = world.add({ bytes: large });
    const save: typeof world.bucket.save = async (key, file) => {
      await claim(id, world.clock.now() + leaseMs);
      await world.bucket.save(key, file);
      world.clock.ahead += 20_000;
    };
    const reply = await get(id, {}, { budgetMs: 20_000, bucket: { ...world.bucket, save } });
    world.clock.ahead = 0;
    expect(reply.status).toBe(503);
    expect(await copiesOf(id)).toEqual([]);
    const copy = await world.copies.read({ number: world.number.id, media: id }, world.clock.now());
    expect(copy).toMatchObject({ state: 'copying', lease: { holder: 'somebody' } });
  });

  it('has a lease that outlives the function that makes the copy', () => {
    expect(contract.timeoutSeconds * 1000).toBeLessThan(leaseMs);
  });
});

describe('a file that is deleted while it is being copied', () => {
  it('a file that is deleted while it is being copied is not handed out, and no copy stays', async () => {
    const id = world.add({ bytes: large });
    const key = { number: world.number.id, media: id };
    const save: typeof world.bucket.save = async (blob, file) => {
      await world.copies.markDeleted(key, world.clock.now());
      await world.bucket.save(blob, file);
    };
    expect((await get(id, {}, { bucket: { ...world.bucket, save } })).status).toBe(404);
    expect(await copiesOf(id)).toEqual([]);
    expect((await get(id)).status).toBe(404);
  });
});

describe('the log', () => {
  it('contains neither URLs nor hashes', async () => {
    const id = world.add({ bytes: large });
    await get(id);
    await get(world.add({ bytes, described: { sha256: 'ab'.repeat(32) } }));
    const text = JSON.stringify(logged);
    expect(logged.map(({ event }) => event)).toEqual(expect.arrayContaining(['media.copied', 'media.rejected']));
    expect(text).not.toMatch(/https?:|[0-9a-f]{64}/);
  });
});
