import { describe, expect, it } from 'vitest';
import { timestamp } from '#shared/base/time.ts';
import { maxUploadBytesPerHour } from '#shared/media/media-limits.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startUploadWorld } from '#support/worlds/upload-world.ts';
import { createMediaUpload as contract } from './contracts.ts';
import { makeHandler } from './create-media-upload.ts';

captureLog();

const world = forAllTests(() => startUploadWorld());

function create(body: unknown) {
  const signUpload = async (key: string, file: object) => `https://bucket.example.com/${key}?${JSON.stringify(file)}`;
  const operation = { contract, makeHandler: () => makeHandler({ ...world.dependencies, signUpload }) };
  return world.call(operation, world.number, { body });
}

const pdf = { type: 'application/pdf', size: 94_371_840 };

describe('create-media-upload', () => {
  it('returns where to send a file of this type and size', async () => {
    const { status, json } = await create(pdf);
    expect({ status, json }).toEqual({
      status: 201,
      json: {
        upload: expect.any(String),
        url: expect.any(String),
        method: 'PUT',
        headers: { 'content-type': 'application/pdf', 'content-length': '94371840' },
        expires_at: timestamp(world.clock.now + 3_600_000),
      },
    });
    expect(decodeURIComponent(json.url)).toBe(
      `https://bucket.example.com/uploads/${world.number.id}/${json.upload}?${JSON.stringify({ ...pdf, expiresInSeconds: 3_600 })}`,
    );
    const stored = await world.uploads.read({ number: world.number.id, upload: json.upload }, world.clock.now);
    expect(stored).toMatchObject({ ...pdf, state: 'created' });
  });

  it('has a limit for each workspace and hour', async () => {
    const { workspace } = world.number;
    const hour = Math.floor(world.clock.now / 3_600_000);
    await world.uploads.reserve(workspace, maxUploadBytesPerHour - 2 * pdf.size, hour + 1);
    world.clock.now = (hour + 2) * 3_600_000 - 60_000;
    const replies = await Promise.all(Array.from({ length: 5 }, () => create(pdf)));
    const rejected = replies.filter(({ status }) => status === 429);
    expect(rejected).toHaveLength(3);
    expect(rejected[0]).toMatchObject({ headers: { 'retry-after': '60', 'x-error-code': 'media_upload_too_much' } });
    world.clock.now += 60_000;
    expect((await create(pdf)).status).toBe(201);
  });

  it.each([
    [{ ...pdf, type: 'video/x-msvideo' }, 'type', /^The type field must have one of these media types: .*video\/mp4/],
    [
      { ...pdf, size: 104_857_601 },
      'size',
      /^The size field must not exceed 100 MB, the limit for application\/pdf\.$/,
    ],
    [{ ...pdf, size: 0 }, 'size', /at least 1/],
  ])('create-media-upload rejects %j', async (body, field, message) => {
    const { status, json } = await create(body);
    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: { [field]: [expect.stringMatching(message)] },
    });
  });
});
