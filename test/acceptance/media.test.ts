import { createHash, randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { seededNumbers, seededTokens } from '#local/seed.ts';
import { maxDirectBytes } from '#shared/media/media-limits.ts';
import type { FlowService } from '../../support/flows/flow-service.ts';
import { it } from './shared-world.ts';

let service: FlowService;
it.beforeAll(({ service: shared }) => {
  service = shared;
});
it.afterAll(() => service.expectQuiet());

/** A file of the simulated upstream. */
interface StoredMedia {
  id: string;
  sha256: string;
}

const store = (members: object = {}) => service.simulate<StoredMedia>('media', 'POST', members);

/** A file that is too large for a response. */
const large = { size: maxDirectBytes + 1, mime_type: 'video/mp4' };

const numberUrl = () => `${service.baseUrl}/v2/messaging/numbers/${seededNumbers[0]?.id}`;
const authorization = () => ({ authorization: `Bearer ${seededTokens.member}` });

/** The request as any HTTP client would send it; redirects are not followed. */
const get = (id: string, headers: Record<string, string> = {}) =>
  fetch(`${numberUrl()}/media/${id}`, { redirect: 'manual', headers: { ...authorization(), ...headers } });

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a received file', () => {
  it('is downloaded by the id that the notification names', async () => {
    const { id, sha256: hash } = await store({ size: 3_000, mime_type: 'audio/ogg; codecs=opus' });
    const response = await get(id);
    expect(response.status).toBe(200);
    expect(sha256(await bytesOf(response))).toBe(hash);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/ogg; codecs=opus',
      'content-length': '3000',
      'content-disposition': `attachment; filename="${id}.ogg"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: `"${hash}"`,
    });
  });
});

describe('a large file', () => {
  it('is read from the bucket without a token, whole or in parts', async () => {
    const { id, sha256: hash } = await store(large);
    const response = await get(id);
    expect([response.status, await response.text()]).toEqual([302, '']);
    const location = String(response.headers.get('location'));
    expect(new URL(location).hostname).toBe('127.0.0.1');

    const file = await fetch(location);
    expect([file.status, sha256(await bytesOf(file))]).toEqual([200, hash]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(large.size),
      'content-disposition': `attachment; filename="${id}.mp4"`,
    });
    const part = await fetch(location, { headers: { range: 'bytes=-3' } });
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '3']);
  });
});

async function call(method: string, path: string, init: RequestInit = {}) {
  const headers = { ...authorization(), ...init.headers };
  const response = await fetch(`${numberUrl()}${path}`, { method, ...init, headers });
  const text = await response.text();
  const json = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, json, code: response.headers.get('x-error-code') };
}

const callWithJson = (path: string, body: unknown) =>
  call('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

/** Sends the file to a contact, and checks that this one gets it as it was. */
async function sendAndCompare(id: string, bytes: Buffer) {
  const message = { to: '15550100999', type: 'document', document: { id, filename: 'a.pdf' } };
  // The contact writes first, so that the number may answer.
  await service.simulate('events', 'POST', { events: [{ type: 'text', contact: { wa_id: message.to } }] });
  const sent = await callWithJson('/messages', message);
  expect(sent).toMatchObject({ status: 200 });

  const { data } = await service.simulate<{ data: object[] }>('messages');
  expect(JSON.stringify(data)).toContain(`"id":"${id}"`);

  const file = await fetch(`${numberUrl()}/media/${id}`, { headers: authorization() });
  expect([file.status, sha256(await file.bytes())]).toEqual([200, sha256(bytes)]);
}

it('a file of 100 bytes is uploaded, sent and deleted', async () => {
  const bytes = randomBytes(100);
  const form = new FormData();
  form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'relatório.pdf');
  const { status, json } = await call('POST', '/media', { body: form });
  expect({ status, json }).toEqual({ status: 200, json: { id: expect.any(String) } });
  await sendAndCompare(json.id, bytes);

  expect(await call('DELETE', `/media/${json.id}`)).toMatchObject({ status: 204 });
  expect(await call('DELETE', `/media/${json.id}`)).toMatchObject({ status: 404 });
});

it('a file of 4.4 MB fits in a request', async () => {
  const headers = { 'content-type': 'application/pdf' };
  expect(await call('POST', '/media', { body: Buffer.alloc(4_400_000, 1), headers })).toMatchObject({ status: 200 });
});

it('a file that is too large for a request is uploaded by way of the bucket, once, and sent', async () => {
  const bytes = randomBytes(20 * 2 ** 20);
  const { path, uploads, ...completed } = await uploadByBucket(bytes);
  expect(completed).toMatchObject({ status: 200, json: { id: expect.any(String) } });
  expect(await complete(path)).toEqual(completed);
  const { data } = await service.simulate<{ data: { id: string; size: number }[] }>('media');
  const ids = data.filter(({ size }) => size === bytes.length).map(({ id }) => id);
  expect(ids).toContain(completed.json.id);
  expect(ids.length).toBeLessThanOrEqual(uploads);
  await sendAndCompare(completed.json.id, bytes);
});

/** Sends a file by way of the bucket, with as many uploads as users need: a second one if an outcome is unknown. */
async function uploadByBucket(bytes: Buffer<ArrayBuffer>) {
  for (let uploads = 1; ; uploads++) {
    const created = await callWithJson('/media/uploads', { type: 'application/pdf', size: bytes.length });
    expect(created.status).toBe(201);
    const { upload, url, method, headers } = created.json;
    const path = `/media/uploads/${upload}/complete`;
    expect(await call('POST', path)).toMatchObject({ status: 409 });
    expect((await fetch(url, { method, headers, body: bytes })).status).toBe(200);
    const completed = await complete(path);
    if (completed.code !== 'media_upload_outcome_unknown') return { path, uploads, ...completed };
  }
}

/** Repeats the request while the platform is too slow, or a busy machine makes the service respond 500, as users do. */
async function complete(path: string) {
  for (;;) {
    const response = await call('POST', path);
    const outcomeIsUnknown = response.code === 'media_upload_outcome_unknown';
    if (outcomeIsUnknown || ![500, 503, 504].includes(response.status)) return response;
  }
}

it('the download of media leaves no URL and no token in the log', () => {
  const lines = service.world.logs.filter((line) => line.startsWith('GetMedia'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => /https?:|Bearer|X-Amz|local-upstream-access-token/.test(line))).toEqual([]);
});
