import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs } from '#shared/base/time.ts';
import { accessToken, phoneNumberId, silentPhoneNumberId, startTestUpstream } from '#support/worlds/simulated-graph.ts';

let clock = 1_800_000_000_000;
let dataDir: string;
let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'uploads-'));
  upstream = await startTestUpstream({ dataDir, now: () => clock });
});
afterEach(async () => {
  await upstream.close();
  await rm(dataDir, { recursive: true });
});

function upload(bytes: Uint8Array, type = 'image/png', members: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ messaging_product: 'whatsapp', type, ...members }))
    form.set(name, value);
  form.set('file', new Blob([Uint8Array.from(bytes)], { type }), 'file');
  return upstream.graph('POST', `/${phoneNumberId}/media`, form);
}

const node = (id: string, number = phoneNumberId) => upstream.graph('GET', `/${id}?phone_number_id=${number}`);

describe('the media of the simulated platform', () => {
  it('keeps a file for its number, also beyond a restart, until it is deleted', async () => {
    const bytes = randomBytes(200_000);
    const { json } = await upload(bytes);
    expect((await node(json.id, silentPhoneNumberId)).status).toBe(400);
    await upstream.close();
    upstream = await startTestUpstream({ dataDir, now: () => clock });
    const { url, sha256, mime_type } = (await node(json.id)).json;
    expect([mime_type, sha256]).toEqual(['image/png', createHash('sha256').update(bytes).digest('hex')]);
    const file = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(bytes.equals(await file.bytes())).toBe(true);
    await upstream.graph('DELETE', `/${json.id}`);
    expect(await readdir(join(dataDir, 'media'))).toEqual([]);
  });

  it('forgets a file after 30 days', async () => {
    const { json } = await upload(randomBytes(9));
    clock += 30 * dayMs - 1;
    expect((await node(json.id)).status).toBe(200);
    clock += 1;
    expect((await node(json.id)).status).toBe(400);
  });

  it.each([
    ['a picture above 5 MB', Buffer.alloc(5 * 2 ** 20 + 1), 'image/png', 131053],
    ['a sticker above 500 KB', Buffer.alloc(500 * 2 ** 10 + 1), 'image/webp', 131053],
    ['an empty file', Buffer.alloc(0), 'image/png', 100],
    ['a page', Buffer.from('<p>'), 'text/html', 100],
  ])('rejects %s', async (_, bytes, type, code) => {
    expect(await upload(bytes, type)).toMatchObject({ status: 400, json: { error: { code } } });
  });

  it('demands the product and a number of the account', async () => {
    expect((await upload(randomBytes(9), 'image/png', { messaging_product: 'mail' })).status).toBe(400);
    expect((await upstream.graph('POST', '/999/media', new FormData())).json.error).toMatchObject({
      error_subcode: 33,
    });
  });
});
