import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type Measured, type MediaContext, makeCopy, verify } from './copy-media.ts';
import { maxMediaBytes } from './media-limits.ts';

const log = captureLog();

it('a copy that fails says why, also if that cannot be recorded', async () => {
  const lost = new Error('The connection broke');
  const context = {
    holder: 'me',
    deadline: 60_000,
    now: () => 0,
    copies: {
      claim: async () => true,
      storeOutcome: async () => {
        throw new Error('There is no table');
      },
    },
    download: async () => {
      throw lost;
    },
    bucket: {},
  } as unknown as MediaContext;
  const file = { url: 'https://example.com/', mimeType: 'image/png', size: 9, sha256: undefined } as never;
  await expect(makeCopy({ number: 'n', media: '1' } as never, file, context)).rejects.toBe(lost);
  expect(log).toContainEqual(
    expect.objectContaining({ event: 'media.copy-not-recorded', error_message: 'There is no table' }),
  );
});

type Announced = Parameters<typeof verify>[1];

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* chunks(bytes: Uint8Array, size = 3) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** The bytes that pass, and their measurements at the end. */
async function read(source: AsyncIterable<Uint8Array>, announced: Announced) {
  let measured: Measured | undefined;
  const parts: Uint8Array[] = [];
  const through = verify(source, announced, (result) => {
    measured = result;
  });
  for await (const part of through) parts.push(part);
  return { bytes: Buffer.concat(parts), measured };
}

const bytes = Buffer.from('0123456789');
const right = { size: bytes.length, sha256: sha256(bytes) };

describe('verify', () => {
  it.each<[string, Announced]>([
    ['size and hash', right],
    ['the size alone', { size: 10, sha256: undefined }],
    ['the hash alone', { size: undefined, sha256: right.sha256 }],
    ['nothing', { size: undefined, sha256: undefined }],
  ])('returns bytes that match the announcement: %s', async (_, announced) => {
    expect(await read(chunks(bytes), announced)).toEqual({ bytes, measured: right });
  });

  it.each<[string, Announced, string]>([
    ['fewer bytes', { ...right, size: 11 }, 'incomplete'],
    ['more bytes', { ...right, size: 9 }, 'altered'],
    ['other bytes', { ...right, sha256: sha256(Buffer.from('9876543210')) }, 'altered'],
  ])('ends with an error if there are %s', async (_, announced, fault) => {
    await expect(read(chunks(bytes), announced)).rejects.toMatchObject({ fault });
  });

  it('reads no further than the announced size, or than the limit for any file', async () => {
    let size = 0;
    const endless = async function* () {
      for (;;) {
        size += 2 ** 20;
        yield Buffer.alloc(2 ** 20);
      }
    };
    await expect(read(endless(), { size: 2 ** 20, sha256: undefined })).rejects.toMatchObject({ fault: 'altered' });
    expect(size).toBe(2 * 2 ** 20);
    size = 0;
    const unknown = { size: undefined, sha256: undefined };
    await expect(read(endless(), unknown)).rejects.toMatchObject({ fault: 'too-large' });
    expect(size).toBe(maxMediaBytes + 2 ** 20);
  });

  it('decides correctly for every file, however it is split into chunks', async () => {
    const files = fc.uint8Array({ minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 60 }), fc.nat(), async (file, size, at) => {
        const announced = { size: file.length, sha256: sha256(file) };
        expect((await read(chunks(file, size), announced)).bytes).toEqual(Buffer.from(file));
        const damaged = Uint8Array.from(file, (byte, index) => (index === at % file.length ? byte ^ 1 : byte));
        await expect(read(chunks(damaged, size), announced)).rejects.toMatchObject({ fault: 'altered' });
      }),
    );
  });
});
