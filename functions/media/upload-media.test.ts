import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startUploadWorld } from '#support/worlds/upload-world.ts';
import { uploadMedia as contract } from './contracts.ts';
import { makeHandler } from './upload-media.ts';

const log = logOfEachTest();

const world = forAllTests(() => startUploadWorld());

const png = Buffer.from('\x89PNG\r\n and so on', 'latin1');

/** Uploads a body with its content type. */
function upload(
  body: Buffer,
  type = 'image/png',
  { headers, number = world.number }: { headers?: Record<string, string>; number?: Pick<PhoneNumber, 'id'> } = {},
) {
  const operation = { contract, makeHandler: () => makeHandler(world.dependencies) };
  return world.call(operation, number, {
    body: body.toString('base64'),
    isBase64Encoded: true,
    headers: { 'content-type': type, ...headers },
  });
}

/** Uploads a form with the file in it. */
async function uploadForm(form: FormData, headers: Record<string, string> = {}) {
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return upload(Buffer.from(await request.bytes()), String(request.headers.get('content-type')), { headers });
}

function formOf(bytes: Buffer, type = 'image/png') {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(bytes)], { type }), 'ação.png');
  return form;
}

const fileOf = async (id: string) => (await world.files()).find((file) => file.id === id);

describe('upload-media', () => {
  it.each(['the body', 'a form'])('uploads the file that is %s', async (kind) => {
    const { status, json } = kind === 'a form' ? await uploadForm(formOf(png)) : await upload(png);
    expect({ status, json }).toEqual({ status: 200, json: { id: expect.stringMatching(/^\d+$/) } });
    expect(await fileOf(json.id)).toMatchObject({
      mime_type: 'image/png',
      size: png.length,
      sha256: createHash('sha256').update(png).digest('hex'),
      phone_number_id: world.number.phone_number_id,
    });
    expect(log).toContainEqual(expect.objectContaining({ event: 'media.uploaded', media: json.id, bytes: png.length }));
  });

  it('names the limit of the type', async () => {
    const { status, json } = await upload(Buffer.alloc(500 * 2 ** 10 + 1), 'image/webp');
    expect({ status, message: json.message }).toEqual({
      status: 422,
      message: 'The file field must not exceed 500 KB, the limit for image/webp.',
    });
  });

  it.each([
    ['does not move', 0, 422],
    ['moves', 0b10, 200],
  ])('tells a sticker of 200 KB that %s by its header', async (_, flags, status) => {
    const sticker = Buffer.alloc(200 * 2 ** 10);
    sticker.write('RIFF\0\0\0\0WEBPVP8X', 'latin1');
    sticker[20] = flags;
    const response = await upload(sticker, 'image/webp');
    expect(response.status).toBe(status);
    if (status === 422) expect(response.json.errors.file).toEqual([expect.stringMatching(/does not move.* 100 KB/)]);
  });

  it('passes on what the platform says against a file', async () => {
    const error = { code: 131053, message: 'Media upload error', error_data: { details: 'At most 102400 bytes' } };
    await world.failUpload({ kind: 'error', status: 400, error });
    const { status, json, headers } = await upload(Buffer.alloc(200 * 2 ** 10), 'image/webp');
    expect([status, headers['x-upstream-error-code']]).toEqual([400, '131053']);
    expect(json.message).toContain('102400 bytes');
  });

  it('says that the platform may have the file', async () => {
    await world.failUpload({ kind: 'reset' });
    const { status, headers, json } = await upload(png);
    expect([status, headers['x-error-code']]).toEqual([502, 'upstream_outcome_unknown']);
    expect(json.message).toMatch(/may have the file, .* Upload the file again if a second copy does no harm/);
  });

  it('says that the platform did not take the file', async () => {
    await world.failUpload({ kind: 'error', status: 503, error: { code: 2 } });
    const { status, json } = await upload(png);
    expect({ status, json }).toEqual({
      status: 502,
      json: { message: 'The messaging platform did not take the file. Send the request again.' },
    });
  });
});

describe('an Idempotency-Key', () => {
  it('covers the file and its type, not the form around it', async () => {
    const key = { 'idempotency-key': newId() };
    const first = await uploadForm(formOf(png), key);
    const before = await world.files();
    const [again, raw] = [await uploadForm(formOf(png), key), await upload(png, 'image/png', { headers: key })];
    expect([again.json, raw.json]).toEqual([first.json, first.json]);
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true' });
    expect(await world.files()).toHaveLength(before.length);
  });

  it.each([
    ['another file', Buffer.from('other'), 'image/png'],
    ['another type', png, 'image/jpeg'],
  ])('an Idempotency-Key is not for %s', async (_, bytes, type) => {
    const key = { 'idempotency-key': newId() };
    expect((await upload(png, 'image/png', { headers: key })).status).toBe(200);
    const { status, json } = await upload(bytes, type, { headers: key });
    expect({ status, field: Object.keys(json.errors) }).toEqual({ status: 422, field: ['Idempotency-Key'] });
  });

  it.each(['reset', 'accept_then_reset'])('never uploads a second file after the fault %s', async (kind) => {
    const key = { 'idempotency-key': newId() };
    await world.failUpload({ kind });
    expect((await upload(png, 'image/png', { headers: key })).status).toBe(502);
    const after = await world.files();
    const { status, headers } = await upload(png, 'image/png', { headers: key });
    expect([status, headers['x-error-code']]).toEqual([504, 'idempotency_key_outcome_unknown']);
    expect(await world.files()).toHaveLength(after.length);
  });
});
