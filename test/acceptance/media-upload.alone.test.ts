import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestWorld, type TestWorld } from '../../support/worlds/world.ts';

let world: TestWorld;
let numberUrl: string;
let authorization: Record<string, string>;
beforeAll(async () => {
  world = await startTestWorld();
  const { base_url, numbers, tokens } = world.description;
  numberUrl = `${base_url}/v2/messaging/numbers/${numbers[0]?.id}`;
  authorization = { authorization: `Bearer ${tokens.member}` };
});
afterAll(() => world.close());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function call(method: string, path: string, init: RequestInit = {}) {
  const headers = { ...authorization, ...init.headers };
  const response = await fetch(`${numberUrl}${path}`, { method, ...init, headers });
  const text = await response.text();
  const json = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, json, code: response.headers.get('x-error-code') };
}

const callWithJson = (path: string, body: unknown) =>
  call('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

/** Sends the file to a contact, and checks that this one gets it as it was. */
async function sendAndCompare(id: string, bytes: Buffer) {
  const message = { to: '15550100999', type: 'document', document: { id, filename: 'a.pdf' } };
  await writeFrom(message.to);
  const sent = await callWithJson('/messages', message);
  expect(sent).toMatchObject({ status: 200 });

  const received = await fetch(`${world.description.upstream_url}/simulator/messages`);
  const { data } = (await received.json()) as { data: { content?: { id?: string } }[] };
  expect(JSON.stringify(data)).toContain(`"id":"${id}"`);

  const file = await fetch(`${numberUrl}/media/${id}`, { headers: authorization });
  expect([file.status, sha256(await file.bytes())]).toEqual([200, sha256(bytes)]);
}

/** The contact writes first, so that the number may answer. */
async function writeFrom(contact: string) {
  await fetch(`${world.description.upstream_url}/simulator/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events: [{ type: 'text', contact: { wa_id: contact } }] }),
  });
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

it('a file of 4.4 MB fits in a request, and one of 4.6 MB does not', async () => {
  const headers = { 'content-type': 'application/pdf' };
  expect(await call('POST', '/media', { body: Buffer.alloc(4_400_000, 1), headers })).toMatchObject({ status: 200 });
  expect(await call('POST', '/media', { body: Buffer.alloc(4_800_000, 1), headers })).toMatchObject({ status: 413 });
});

it('a file of 90 MB is uploaded by way of the bucket, once, and sent', async () => {
  const bytes = randomBytes(90 * 2 ** 20);
  const { path, uploads, ...completed } = await uploadByBucket(bytes);
  expect(completed).toMatchObject({ status: 200, json: { id: expect.any(String) } });
  expect(await complete(path)).toEqual(completed);
  const { data } = (await (await fetch(`${world.description.upstream_url}/simulator/media`)).json()) as {
    data: { id: string; size: number }[];
  };
  const ids = data.filter(({ size }) => size === bytes.length).map(({ id }) => id);
  expect(ids).toContain(completed.json.id);
  expect(ids.length).toBeLessThanOrEqual(uploads);
  await sendAndCompare(completed.json.id, bytes);
}, 300_000);

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
