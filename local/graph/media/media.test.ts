import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import {
  accessToken,
  phoneNumberId,
  silentPhoneNumberId,
  startReceiver,
  startTestUpstream,
} from '#support/worlds/simulated-graph.ts';

const start = 1_800_000_000_000;
const bytes = Buffer.from('\x89PNG and so on', 'latin1');
const hashOf = (data: Uint8Array, encoding: 'hex' | 'base64') => createHash('sha256').update(data).digest(encoding);
const missing = { code: 100, error_subcode: 33, type: 'GraphMethodException' };

let clock = start;
beforeEach(() => {
  clock = start;
});
const upstream = forEachTest(() => startTestUpstream({ now: () => clock }));

const put = async (members: object = {}) => {
  const { status, json } = await upstream.control('POST', '/media', { id: 'm1', mime_type: 'image/png', ...members });
  expect(status).toBe(200);
  return json;
};
const small = (members: object = {}) => put({ base64: bytes.toString('base64'), ...members });
const node = (id = 'm1', query = `?phone_number_id=${phoneNumberId}`) => upstream.graph('GET', `/${id}${query}`);
const urlOf = async (id?: string): Promise<string> => (await node(id)).json.url;
const authorization = `Bearer ${accessToken}`;
const download = (url: string, init: RequestInit = {}) =>
  fetch(url, { redirect: 'manual', ...init, headers: { authorization, ...init.headers } });
const useOf = async (id = 'm1') => {
  const { lookups, downloads } = (await upstream.control('GET', `/media/${id}`)).json;
  return { lookups, downloads };
};

describe('a media object', () => {
  it('is described by Graph, and its bytes are served at its URL', async () => {
    const control = await small();
    expect(control).toMatchObject({
      id: 'm1',
      phone_number_id: phoneNumberId,
      mime_type: 'image/png',
      size: bytes.length,
      sha256: hashOf(bytes, 'hex'),
      sha256_base64: hashOf(bytes, 'base64'),
    });
    const { status, json } = await node();
    expect(status).toBe(200);
    expect(json).toEqual({
      messaging_product: 'whatsapp',
      url: expect.stringContaining(`${upstream.url}/whatsapp_business/attachments/?mid=m1&hash=`),
      mime_type: 'image/png',
      sha256: hashOf(bytes, 'hex'),
      file_size: String(bytes.length),
      id: 'm1',
    });
    const response = await download(json.url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await useOf()).toEqual({ lookups: 1, downloads: 1 });
    expect(JSON.stringify(control)).not.toContain(bytes.toString('base64'));
  });

  it('a media object belongs to one number', async () => {
    await small({ phone_number_id: silentPhoneNumberId });
    expect((await node()).json.error).toMatchObject(missing);
    expect((await node('m1', `?phone_number_id=${silentPhoneNumberId}`)).status).toBe(200);
    expect((await node('m1', '')).status).toBe(200);
  });

  it('is reported as unknown if it does not exist', async () => {
    const { status, json } = await node('m2');
    expect([status, json.error]).toEqual([400, expect.objectContaining(missing)]);
    expect((await upstream.control('GET', '/media/m2')).status).toBe(404);
  });

  it('is deleted together with its URLs', async () => {
    await small();
    const url = await urlOf();
    expect((await upstream.graph('DELETE', `/m1?phone_number_id=${silentPhoneNumberId}`)).json.error).toMatchObject(
      missing,
    );
    expect((await upstream.graph('DELETE', `/m1?phone_number_id=${phoneNumberId}`)).json).toEqual({ success: true });
    expect((await node()).status).toBe(400);
    expect((await download(url)).status).toBe(404);
  });

  it('a media object expires after seven days', async () => {
    await small();
    clock += 7 * 86_400_000 - 1;
    expect((await node()).status).toBe(200);
    clock += 1;
    const { json } = await node();
    expect(json.error).toMatchObject({ ...missing, message: expect.stringContaining('expired') });
  });
});

describe('a download URL', () => {
  it.each([{}, { authorization: 'Bearer nope' }])('requires the access token: %j', async (headers) => {
    await small();
    const response = await fetch(await urlOf(), { headers });
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('"code":190')]);
    expect(await useOf()).toEqual({ lookups: 1, downloads: 0 });
  });

  it('is valid for five minutes, and each lookup creates another', async () => {
    await small();
    const url = await urlOf();
    clock += 5 * 60_000 - 1;
    expect((await download(url)).status).toBe(200);
    const next = await urlOf();
    clock += 1;
    expect((await download(url)).status).toBe(404);
    expect((await download(next)).status).toBe(200);
    expect((await download(`${upstream.url}/whatsapp_business/attachments/?mid=m1&hash=x`)).status).toBe(404);
  });
});

describe('a media object with a configured fault', () => {
  it('can be marked as expired', async () => {
    await small({ expired: true });
    expect((await node()).json.error).toMatchObject({ ...missing, message: expect.stringContaining('expired') });
  });

  it('can have URLs that expire soon, or after some uses', async () => {
    await small({ url_expires_after: { seconds: 2 } });
    const url = await urlOf();
    clock += 2_000;
    expect((await download(url)).status).toBe(404);
    await small({ url_expires_after: { uses: 1 } });
    const once = await urlOf();
    expect([(await download(once)).status, (await download(once)).status]).toEqual([200, 404]);
    await small({ url_expires_after: { uses: 0 } });
    expect((await download(await urlOf())).status).toBe(404);
    expect(await useOf()).toEqual({ lookups: 1, downloads: 0 });
  });

  it('can break off, and the server continues', async () => {
    await put({ size: 1_000_000, truncated: true });
    const response = await download(await urlOf());
    expect(response.headers.get('content-length')).toBe('1000000');
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(await useOf()).toEqual({ lookups: 1, downloads: 1 });
  });
});

describe('faults', () => {
  it('the request log does not contain the hash of a media URL', async () => {
    await small();
    const url = new URL(await urlOf());
    await download(url.href);
    const log = JSON.stringify((await upstream.control('GET', '/requests')).json);
    expect(log).toContain('/whatsapp_business/attachments/');
    expect(log).not.toContain(url.searchParams.get('hash'));
  });
});

describe('an event', () => {
  it('contains the id of the file, with its hash in base64', async () => {
    const receiver = await startReceiver();
    const { url, control, close } = await startTestUpstream({ callbackUrl: receiver.url });
    const body = {
      id: 'm1',
      phone_number_id: silentPhoneNumberId,
      base64: bytes.toString('base64'),
      mime_type: 'image/png',
    };
    const { json } = await control('POST', '/media', body);
    await control('POST', '/events', { events: [{ type: 'image', media_id: 'm1', image: { caption: 'Look' } }] });
    await control('POST', '/events', { events: [{ type: 'voice', media_id: 'm1' }] });
    const values = receiver.values();
    expect(url).not.toBe('');
    expect(values.map(({ metadata }) => metadata.phone_number_id)).toEqual([silentPhoneNumberId, silentPhoneNumberId]);
    const file = { id: 'm1', mime_type: 'image/png', sha256: json.sha256_base64, url: expect.any(String) };
    expect(values[0].messages[0]).toMatchObject({ type: 'image', image: { caption: 'Look', ...file } });
    expect(values[0].messages[0]).not.toHaveProperty('media_id');
    expect(values[1].messages[0]).toMatchObject({ type: 'audio', audio: { voice: true, ...file } });

    expect((await control('POST', '/events', { events: [{ type: 'image', media_id: 'm2' }] })).status).toBe(404);
    expect((await control('POST', '/events', { events: [{ type: 'text', media_id: 'm1' }] })).status).toBe(400);
    await close();
    await receiver.close();
  });
});
