import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Context } from 'aws-lambda';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { hourMs } from '#shared/base/time.ts';
import { type FileGrant, sealGrant } from '#shared/flow-endpoint/file-address.ts';
import { type FileDownloadSettings, fileDownload } from '#shared/flow-endpoint/file-download-graph.ts';
import { createFlowKey } from '#shared/flow-endpoint/flow-keys.ts';
import { maxEncryptedBytes, maxFileBytes } from '#shared/flow-endpoint/picked-file.ts';
import type { FlowRecord } from '#shared/flows/flow.ts';
import type { LinkOptions } from '#shared/media/media-bucket-store.ts';
import { maxDirectBytes } from '#shared/media/media-limits.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { httpEvent } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { loopback, nothing, sendingService } from '#support/fakes/egress.ts';
import { draft, now } from '#support/fakes/fake-flow-context.ts';
import { encryptedFile } from '#support/flows/encrypted-file.ts';
import { startHttpServer } from '#support/http/http-server.ts';
import { makeHandler } from './get-flow-file.ts';

const log = captureLog();

const flow: FlowRecord = { ...draft, endpoint_encrypted: false };
const elsewhere: FlowRecord = { ...flow, id: newId(), workspace: newId() };
const owner = newId();
const number: PhoneNumber = {
  ...{ id: owner, workspace: flow.workspace, active: true, calling_enabled: true, created_at: 0 },
  ...{ phone_number_id: '1', display_phone_number: '+15550100001' },
};
const bytes = Buffer.from('a picture');

let key: KeyObject;
let otherKey: KeyObject;
beforeAll(async () => {
  const keys = await Promise.all([createFlowKey(0), createFlowKey(0)]);
  [key, otherKey] = keys.map(({ private_key }) => createPrivateKey(private_key)) as [KeyObject, KeyObject];
});

/** The platform's media host, which responds in this way. */
async function mediaHost(listener: RequestListener) {
  const server = await startHttpServer(listener);
  onTestFinished(() => server.close());
  return server;
}

interface Options {
  settings?: Partial<FileDownloadSettings>;
  /** The milliseconds since the address was made. */
  later?: number;
  numbers?: PhoneNumber[];
}

/** The operation over a media host at this URL, and what it stored. */
function service(host: string, { settings, later = 0, numbers = [number] }: Options = {}) {
  const saved = new Map<string, Buffer>();
  const links: LinkOptions[] = [];
  const handler = makeHandler({
    now: () => now + later,
    mark,
    findFlow: async (id) => [flow, elsewhere].find((one) => one.id === id),
    numbers: { get: async (id) => numbers.find((one) => one.id === id) },
    privateKeys: async (workspace) => [workspace === flow.workspace ? key : otherKey],
    download: fileDownload({
      ...{ baseUrl: host, hosts: ['whatsapp.net'], allowList: loopback, isOwn: sendingService.isOwn, timeoutMs: 5_000 },
      ...settings,
    }),
    bucket: { save: async (name, chunks) => void saved.set(name, Buffer.concat(await Array.fromAsync(chunks))) },
    link: async (name, options) => {
      links.push(options);
      return `https://bucket.example.com/${name}`;
    },
  });
  const get = async (file: string, id = flow.id) => {
    const event = httpEvent({ pathParameters: { flow: id, file } });
    const { statusCode, headers, body, isBase64Encoded } = await handler(event, {} as Context);
    return { status: statusCode, headers, body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8') };
  };
  return { get, saved, links };
}

type Encrypted = Awaited<ReturnType<typeof encryptedFile>>;

function addressOf(host: string, { encryption_metadata }: Encrypted, changes: Partial<FileGrant> = {}) {
  const sealed = { owner, token_hash: 'hash', valid_until: now + hourMs, file_name: 'IMG_1.JPG', encryption_metadata };
  return sealGrant({ ...sealed, cdn_url: `${host}/v/1?e=1`, ...changes }, key, flow.id);
}

describe('get-flow-file', () => {
  it('returns the decrypted file as an attachment that nobody keeps or runs', async () => {
    const file = await encryptedFile(bytes);
    const host = await mediaHost((_, response) => response.end(file.encrypted));
    const { status, headers, body } = await service(host.url).get(addressOf(host.url, file));
    expect([status, body]).toEqual([200, bytes]);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="file.jpg"',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const [request] = host.requests;
    expect(request?.url).toBe('/v/1?e=1');
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual(['accept-encoding', 'connection', 'host']);
  });

  it('returns what a browser could run as plain bytes', async () => {
    const file = await encryptedFile(bytes);
    const host = await mediaHost((_, response) => response.end(file.encrypted));
    const { headers } = await service(host.url).get(addressOf(host.url, file, { file_name: 'page.svg' }));
    expect(headers).toMatchObject({ 'content-type': 'application/octet-stream' });
  });

  it('puts a file that is too large for a response into the bucket, where an erasure finds it', async () => {
    const large = randomBytes(maxDirectBytes + 1);
    const file = await encryptedFile(large);
    const host = await mediaHost((_, response) => response.end(file.encrypted));
    const { get, saved, links } = service(host.url);
    const { status, headers } = await get(addressOf(host.url, file));
    const [[name, content] = ['', Buffer.alloc(0)]] = saved;
    expect([status, headers?.location]).toEqual([302, `https://bucket.example.com/${name}`]);
    expect(name.startsWith(`media/${owner}/flow-hash/`)).toBe(true);
    expect(content.equals(large)).toBe(true);
    expect(links).toMatchObject([
      { contentDisposition: 'attachment; filename="file.jpg"', cacheControl: 'no-store', expiresInSeconds: 300 },
    ]);
  });

  it('has one copy of a large file, however often it is asked for', async () => {
    const file = await encryptedFile(randomBytes(maxDirectBytes + 1));
    const host = await mediaHost((_, response) => response.end(file.encrypted));
    const { get, saved } = service(host.url);
    for (let request = 0; request < 2; request++) await get(addressOf(host.url, file));
    expect(saved.size).toBe(1);
  });

  it('returns the largest file that a phone sends', async () => {
    const file = await encryptedFile(Buffer.alloc(maxFileBytes));
    const host = await mediaHost((_, response) => response.end(file.encrypted));
    expect((await service(host.url).get(addressOf(host.url, file))).status).toBe(302);
  });

  it.each<[string, RequestListener, number, string]>([
    ['redirects', (_, response) => response.writeHead(302, { location: '/v/2' }).end(), 502, 'flow_file_unavailable'],
    ['fails', (_, response) => response.writeHead(500).end(), 502, 'flow_file_unavailable'],
    ['has nothing', (_, response) => response.writeHead(404).end(), 404, 'media_expired'],
    ['has it no more', (_, response) => response.writeHead(410).end(), 404, 'media_expired'],
    ['breaks off', (_, response) => response.socket?.destroy(), 502, 'flow_file_unavailable'],
    ['sends too much', (_, response) => response.end(Buffer.alloc(maxEncryptedBytes + 1)), 502, 'media_too_large'],
    ['sends something else', (_, response) => response.end(bytes), 502, 'flow_file_altered'],
  ])('passes no byte on if the media host %s', async (_, listener, status, code) => {
    const file = await encryptedFile(bytes);
    const host = await mediaHost(listener);
    const { get, saved } = service(host.url);
    const response = await get(addressOf(host.url, file));
    expect([response.status, response.headers?.['x-error-code']]).toEqual([status, code]);
    expect([host.requests.length, saved.size]).toEqual([1, 0]);
  });

  it('passes no byte on of a file that ends too early', async () => {
    const file = await encryptedFile(Buffer.alloc(100_000));
    const host = await mediaHost((_, response) => {
      response.writeHead(200, { 'content-length': file.encrypted.length });
      response.write(file.encrypted.subarray(0, 50_000), () => response.socket?.destroy());
    });
    expect((await service(host.url).get(addressOf(host.url, file))).status).toBe(502);
  });

  it('gives up on a host that does not end', async () => {
    const file = await encryptedFile(bytes);
    const host = await mediaHost((_, response) => void response.write(file.encrypted));
    const { get } = service(host.url, { settings: { timeoutMs: 200 } });
    expect((await get(addressOf(host.url, file))).status).toBe(502);
  });

  it.each([
    'https://evil.example.com/v/1',
    'https://whatsapp.net.evil.example.com/v/1',
    'https://whatsapp.net@127.0.0.1/v/1',
    'http://mmg.whatsapp.net/v/1',
    'https://mmg.whatsapp.net:8443/v/1',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'v/1',
  ])('asks no other host: %s', async (cdn_url) => {
    const file = await encryptedFile(bytes);
    log.length = 0;
    const { get } = service('https://graph.example.com', {
      settings: { allowList: nothing, resolve: () => Promise.reject(new Error('A name was looked up')) },
    });
    expect((await get(addressOf('', file, { cdn_url }))).status).toBe(502);
    expect(log).toContainEqual(expect.objectContaining({ fault: 'host-not-allowed' }));
  });

  it('does not connect to a private address that a media host resolves to', async () => {
    const file = await encryptedFile(bytes);
    log.length = 0;
    const { get } = service('https://graph.example.com', {
      settings: { allowList: nothing, resolve: async () => ['127.0.0.1'] },
    });
    expect((await get(addressOf('', file, { cdn_url: 'https://mmg.whatsapp.net/v/1' }))).status).toBe(502);
    expect(log).toContainEqual(expect.objectContaining({ fault: 'forbidden-address' }));
  });

  it('knows no address that was altered, is of another Flow, or is an hour old', async () => {
    const file = await encryptedFile(bytes);
    const host = await mediaHost((_, response) => response.end(file.encrypted));
    const address = addressOf(host.url, file);
    const texts = new Set<string>();
    for (const [wanted, id, later] of [
      [`${address[0] === 'A' ? 'B' : 'A'}${address.slice(1)}`, flow.id, 0],
      [address, elsewhere.id, 0],
      [address, newId(), 0],
      [address, 'x', 0],
      ['', flow.id, 0],
      [address, flow.id, hourMs],
    ] as const) {
      const { status, body } = await service(host.url, { later }).get(wanted, id);
      expect(status).toBe(404);
      texts.add(body.toString());
    }
    expect(texts.size).toBe(1);
    expect(host.requests).toEqual([]);
    expect((await service(host.url, { later: hourMs - 1 }).get(address)).status).toBe(200);
  });

  it('knows no address of a number that is switched off, gone, or in another workspace by now', async () => {
    const file = await encryptedFile(bytes);
    const host = await mediaHost((_, response) => response.end(file.encrypted));
    const address = addressOf(host.url, file);
    for (const numbers of [[], [{ ...number, active: false }], [{ ...number, workspace: newId() }]]) {
      expect((await service(host.url, { numbers }).get(address)).status).toBe(404);
    }
    expect(host.requests).toEqual([]);
  });

  it('serves the file of a Flow that another system sent, whose number nobody knows', async () => {
    const file = await encryptedFile(bytes);
    const host = await mediaHost((_, response) => response.end(file.encrypted));
    const address = addressOf(host.url, file, { owner: flow.workspace });
    expect((await service(host.url, { numbers: [] }).get(address)).status).toBe(200);
  });

  it('writes neither an address nor a key to the log', async () => {
    const file = await encryptedFile(bytes);
    const host = await mediaHost((_, response) => response.end('x'));
    log.length = 0;
    const address = addressOf(host.url, file);
    await service(host.url).get(address);
    const text = JSON.stringify(log);
    expect(text).toContain('flow-file.altered');
    for (const secret of [address, '/v/1', ...Object.values(file.encryption_metadata)]) {
      expect(text).not.toContain(secret);
    }
  });
});
