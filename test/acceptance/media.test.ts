import { createHash } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#functions/media/get-media/contract.ts';
import { keys } from '#shared/adapters/dynamodb/table/keys.ts';
import { createToken } from '#shared/domain/accounts/token.ts';
import { maxDirectBytes, maxMediaBytes } from '#shared/domain/media/limits.ts';
import { descendants } from '#support/processes.ts';
import { apiClient } from '../../support/http/client.ts';
import { startTestWorld, type TestWorld } from '../../support/worlds/world.ts';

let world: TestWorld;
let number: TestWorld['description']['numbers'][number];
let others: TestWorld['description']['numbers'];
beforeAll(async () => {
  world = await startTestWorld();
  const [first, ...rest] = world.description.numbers;
  if (!first) throw new Error('The local world has no numbers');
  number = first;
  others = rest;
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
function get(
  id: string,
  headers: Record<string, string> = {},
  token = world.description.tokens.member,
  of = number.id,
) {
  return fetch(`${world.description.base_url}/v2/messaging/numbers/${of}/media/${id}`, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
}

/** Checks an error against the contract and the OpenAPI document. */
function getError(id: string, token: string | null = world.description.tokens.member, of = number.id) {
  return apiClient(world.description.base_url).call(contract, { params: { number: of, id }, token });
}

/** The record of a file's copy in the table. */
async function copyOf(id: string): Promise<Record<string, unknown> | undefined> {
  const { client, name: TableName } = world.table;
  const { Item } = await client.send(new GetCommand({ TableName, Key: keys.mediaCopy(number.id, id) }));
  return Item;
}

function functionProcesses(name: string) {
  return descendants(process.pid).filter(({ environment }) => environment.AWS_LAMBDA_FUNCTION_NAME === name);
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

  it('may be as large as a response can be', async () => {
    const { id, sha256: hash } = await store({ size: maxDirectBytes });
    const response = await get(id);
    expect([response.status, sha256(await bytesOf(response))]).toEqual([200, hash]);
  });

  it('may be read in parts', async () => {
    const { id } = await store({ base64: Buffer.from('0123456789').toString('base64') });
    const part = await get(id, { range: 'bytes=2-4' });
    expect([part.status, await part.text()]).toEqual([206, '234']);
    expect(part.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(part.headers.get('content-length')).toBe('3');
    const several = await get(id, { range: 'bytes=0-1,3-4' });
    expect([several.status, await several.text()]).toEqual([200, '0123456789']);
    const beyond = await get(id, { range: 'bytes=10-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect(await beyond.json()).toEqual({
      message: 'The range lies beyond the end of the file, which has 10 bytes.',
    });
  });

  it('is not downloaded again if the client already has it', async () => {
    const { id, sha256: hash } = await store();
    const response = await get(id, { 'if-none-match': `"${hash}"` });
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, `"${hash}"`, '']);
    expect((await read(id)).downloads).toBe(0);
  });

  it('is never returned as a page or a script', async () => {
    for (const mime_type of ['text/html', 'image/svg+xml']) {
      const { headers } = await get((await store({ mime_type })).id);
      expect(headers.get('content-type')).toBe('application/octet-stream');
    }
  });

  it.each([{ sha256_as: 'base64' }, { sha256_as: 'absent' }, { file_size_as: 'string' }, { redirect_to: 'self' }])(
    'is complete however the upstream describes it: %j',
    async (traits) => {
      const { id, sha256: hash } = await store(traits);
      const response = await get(id);
      expect([response.status, sha256(await bytesOf(response))]).toEqual([200, hash]);
    },
  );
});

describe('permission to download', () => {
  it('is given to users of the number', async () => {
    const { id } = await store();
    const { owner, member, stranger } = world.description.tokens;
    for (const token of [owner, member]) expect((await get(id, {}, token)).status).toBe(200);
    expect((await getError(id, stranger)).status).toBe(404);
    expect((await getError(id, createToken())).status).toBe(401);
    expect((await getError(id, null)).status).toBe(401);
  });

  it('is not given through another number, active or not', async () => {
    const { id } = await store();
    for (const other of others) expect((await getError(id, undefined, other.id)).status).toBe(404);
  });
});

describe('a file that the number does not have', () => {
  it('returns 404 with a message', async () => {
    const { status, message } = await getError('123456789012345');
    expect([status, message]).toEqual([404, expect.stringMatching(/has no media with this id/)]);
  });

  it('includes files that have expired upstream', async () => {
    const { id: expired } = await store({ expired: true });
    expect((await getError(expired)).status).toBe(404);
    const { id } = await store({ url_expires_after: { uses: 0 } });
    const { status, message } = await getError(id);
    expect([status, message]).toEqual([404, expect.stringMatching(/has expired/)]);
    expect((await read(id)).lookups).toBe(2);
  });

  it.each(['..%2fme', '%2e%2e%2fme', 'me%3Ffields=id', '%00', '%C3%A7', '-%0d%0a'])(
    'includes the id %s',
    async (id) => {
      expect((await getError(id)).status).toBe(404);
    },
  );
});

describe('a faulty upstream', () => {
  it('is asked for a new URL if the first expires', async () => {
    const { id, sha256: hash } = await store();
    await simulate('faults', {
      match: { path: 'download_media' },
      fault: { kind: 'error', status: 404, error: { code: 100 } },
    });
    expect(sha256(await bytesOf(await get(id)))).toBe(hash);
    expect((await read(id)).lookups).toBe(2);
  });

  it.each([
    [{ wrong_sha256: true }, /size or SHA-256 differ/],
    [{ wrong_size: true }, /only part of the file/],
    [{ truncated: true }, /returned an error|only part of the file/],
  ])('never leads to a wrong file: %j', async (traits, text) => {
    const small = await getError((await store({ size: 100_000, ...traits })).id);
    expect([small.status, small.message]).toEqual([502, expect.stringMatching(text)]);
    const bucket = await getError((await store({ ...large, ...traits })).id);
    expect([bucket.status, bucket.message]).toEqual([502, expect.stringMatching(text)]);
  });

  it('is distinguished from our own faults', async () => {
    const { id } = await store();
    const fault = { kind: 'error', status: 401, error: { code: 190, message: 'Error validating access token' } };
    await simulate('faults', { match: { path: 'get_media' }, fault });
    expect((await getError(id)).status).toBe(502);
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

  it('reaches a client that follows redirects', async () => {
    const { id, sha256: hash } = await store(large);
    const response = await fetch(`${world.description.base_url}/v2/messaging/numbers/${number.id}/media/${id}`, {
      headers: { authorization: `Bearer ${world.description.tokens.owner}` },
    });
    expect([response.status, sha256(await bytesOf(response))]).toEqual([200, hash]);
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
    expect((await getError(id, undefined, String(others[0]?.id))).status).toBe(404);
  });

  it('is copied by the next request if the first is killed while copying', async () => {
    const { id } = await store(large);
    await simulate('faults', { match: { path: 'download_media' }, fault: { kind: 'timeout' } });
    const first = get(id);
    await expect.poll(() => simulate('faults')).toEqual({ data: [] });
    for (const { pid } of functionProcesses('GetMedia')) process.kill(pid, 'SIGKILL');
    expect((await first).status).toBe(500);
    expect(await copyOf(id)).toMatchObject({ state: 'copying' });

    // Lets the lease expire.
    const { table } = world;
    const lapsed = { ...(await copyOf(id)), until: Date.now() };
    await table.client.send(new PutCommand({ TableName: table.name, Item: lapsed }));
    // A killed process may get another event before its end is noticed.
    await expect.poll(async () => (await get(id)).status).toBe(302);
  });

  it('is rejected above the upstream’s stated maximum', async () => {
    const { id } = await store({ size: maxMediaBytes + 1 });
    const { status, message } = await getError(id);
    expect([status, message]).toEqual([502, expect.stringMatching(/larger than 100 MB/)]);
    expect((await read(id)).downloads).toBe(0);
  });
});

it('the download of media leaves no URL and no token in the log', () => {
  const lines = world.logs.filter((line) => line.startsWith('GetMedia'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => /https?:|Bearer|X-Amz|local-upstream-access-token/.test(line))).toEqual([]);
});
