import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxDirectBytes } from '#shared/media/media-limits.ts';
import { startTestWorld, type TestWorld } from '../../support/worlds/world.ts';

let world: TestWorld;
let number: TestWorld['description']['numbers'][number];
beforeAll(async () => {
  world = await startTestWorld();
  const [first] = world.description.numbers;
  if (!first) throw new Error('The local world has no numbers');
  number = first;
});
afterAll(() => world.close());

/** A file of the simulated upstream. */
interface StoredMedia {
  id: string;
  sha256: string;
  downloads: number;
  lookups: number;
}

async function simulate<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${world.description.upstream_url}/simulator/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The simulator answered ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const store = (members: object = {}) => simulate<StoredMedia>('media', members);
const read = (id: string) => simulate<StoredMedia>(`media/${id}`);

/** A file that is too large for a response. */
const large = { size: maxDirectBytes + 1, mime_type: 'video/mp4' };

/** The request as any HTTP client would send it; redirects are not followed. */
function get(id: string, headers: Record<string, string> = {}) {
  return fetch(`${world.description.base_url}/v2/messaging/numbers/${number.id}/media/${id}`, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${world.description.tokens.member}`, ...headers },
  });
}

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

  it('is downloaded once for all requests, simultaneous or later, in any process', async () => {
    const { id, sha256: hash } = await store(large);
    const responses = await Promise.all(Array.from({ length: 6 }, () => get(id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(302));
    expect((await get(id)).status).toBe(302);
    const { downloads, lookups } = await read(id);
    expect(downloads).toBe(1);
    expect(lookups).toBeLessThanOrEqual(6);
    const unchanged = await get(id, { 'if-none-match': `"${hash}"` });
    expect(unchanged.status).toBe(304);
    expect(await read(id)).toMatchObject({ downloads, lookups });
  });
});

it('the download of media leaves no URL and no token in the log', () => {
  const lines = world.logs.filter((line) => line.startsWith('GetMedia'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => /https?:|Bearer|X-Amz|local-upstream-access-token/.test(line))).toEqual([]);
});
