import { createHash } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getMedia as contract } from '#functions/media/contracts.ts';
import { createToken } from '#shared/accounts/token.ts';
import { keys } from '#shared/aws/keys.ts';
import { maxDirectBytes } from '#shared/media/media-limits.ts';
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
});

it('the download of media leaves no URL and no token in the log', () => {
  const lines = world.logs.filter((line) => line.startsWith('GetMedia'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => /https?:|Bearer|X-Amz|local-upstream-access-token/.test(line))).toEqual([]);
});
