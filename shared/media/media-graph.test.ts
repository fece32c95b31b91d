import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { GraphRequest } from '#shared/graph/graph-client.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { startHttpServer, type TestServer } from '#support/http/http-server.ts';
import { mediaDownload, upstreamMedia, upstreamUploads } from './media-graph.ts';
import { fileTypes } from './media-limits.ts';

const hex = 'ab'.repeat(32);
const answer = {
  messaging_product: 'whatsapp',
  url: 'https://lookaside.example.com/?mid=1',
  mime_type: 'image/jpeg',
  sha256: hex,
  file_size: 303_833,
  id: '1037543291543636',
};

captureLog();

/** The result of `describe` for a response, or for an error that is thrown instead. */
async function described(reply: unknown) {
  const requests: GraphRequest[] = [];
  const media = upstreamMedia(async (request) => {
    requests.push(request);
    if (reply instanceof Error) throw reply;
    return reply;
  });
  return { file: await media.describe('1037543291543636', '106540352242922'), requests };
}

describe('describe', () => {
  it('requests the media of the number', async () => {
    const { file, requests } = await described(answer);
    expect(requests).toEqual([
      { method: 'GET', path: '1037543291543636', query: { phone_number_id: '106540352242922' } },
    ]);
    expect(file).toEqual({ url: answer.url, mimeType: 'image/jpeg', size: 303_833, sha256: hex });
  });

  it.each([
    ['303833', 303_833],
    [0, 0],
    ['', undefined],
    [null, undefined],
    ['3 kB', undefined],
    [-1, undefined],
    [1.5, undefined],
    [undefined, undefined],
  ])('reads the size %j as %j', async (file_size, size) => {
    expect((await described({ ...answer, file_size })).file).toMatchObject({ size });
  });

  it.each([
    ['hex', hex, hex],
    ['hex in capitals', hex.toUpperCase(), hex],
    ['base64', Buffer.from(hex, 'hex').toString('base64'), hex],
    ['another hash', 'ab'.repeat(20), undefined],
    ['nothing', null, undefined],
    ['no text', undefined, undefined],
  ])('reads the SHA-256 from %s', async (_, sha256, read) => {
    expect((await described({ ...answer, sha256 })).file).toMatchObject({ sha256: read });
  });

  it.each([
    [
      'unknown',
      new UpstreamError('rejected', 'Unsupported get request. Object does not exist', { code: 100, subcode: 33 }),
    ],
    ['unknown', new UpstreamError('rejected', 'Some of the aliases you requested do not exist: abc', { code: 803 })],
    ['unknown', new UpstreamError('credentials', 'This requires pages_read_engagement', { code: 10 })],
    ['unknown', new UpstreamError('credentials', 'Permissions error', { code: 200 })],
    ['expired', new UpstreamError('rejected', 'The media has expired', { code: 100, subcode: 33 })],
    ['expired', new UpstreamError('rejected', 'Media expired', { code: 131_052 })],
  ])('returns %s if the upstream has none', async (expected, error) => {
    expect((await described(error)).file).toBe(expected);
  });

  it.each([
    new UpstreamError('credentials', 'Session has expired', { code: 190 }),
    new UpstreamError('rejected', 'Invalid parameter', { code: 100 }),
    new UpstreamError('unavailable', 'expired', { code: 2 }),
  ])('does not change other errors', async (error) => {
    await expect(described(error)).rejects.toBe(error);
  });

  it.each([
    { id: '1', name: 'An app' },
    { id: '1', url: 'https://strangers.example.com/', title: 'A page' },
  ])('finds no media if the upstream returns something else: %j', async (other) => {
    expect((await described(other)).file).toBe('unknown');
  });

  it('fails if the upstream returns no address', async () => {
    await expect(described({ ...answer, url: undefined })).rejects.toBeInstanceOf(UpstreamError);
  });
});

describe('upload', () => {
  /** The header of the file's part in the form. */
  async function partFor(type: string): Promise<string | undefined> {
    let head = '';
    const uploads = upstreamUploads(async ({ stream }) => {
      for await (const chunk of stream?.open(() => {}) ?? []) head ||= Buffer.from(chunk).toString();
      return { id: '1037543291543636' };
    });
    await uploads.upload('106540352242922', { type, size: 0, open: async function* () {} });
    return /^Content-Disposition: .*; (filename=.*)$/m.exec(head)?.[1]?.trim();
  }

  it.each([
    ['image/jpeg', 'filename="file.jpg"'],
    ['audio/ogg; codecs=opus', 'filename="file.ogg"'],
    ['TEXT/Plain;charset=utf-8', 'filename="file.txt"'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'filename="file.docx"'],
  ])('names the file of type %s %s', async (type, name) => {
    expect(await partFor(type)).toBe(name);
  });

  it('has an extension for every type that the platform takes', async () => {
    for (const type of fileTypes) expect(await partFor(type)).not.toContain('.bin');
  });
});

const servers: TestServer[] = [];
afterEach(async () => {
  for (const { close } of servers.splice(0)) await close();
});

async function start(listener: RequestListener): Promise<TestServer> {
  const server = await startHttpServer(listener);
  servers.push(server);
  return server;
}

const redirectTo = (location: string): RequestListener => {
  return (_, response) => void response.writeHead(302, { location }).end();
};

async function read(url: string, { baseUrl = new URL(url).origin, hosts = [] as string[], withinMs = 5_000 } = {}) {
  const download = mediaDownload({
    baseUrl,
    hosts,
    accessToken: async () => 'our-token',
    headers: { via: '1.1 our-mark' },
    deadline: Date.now() + withinMs,
    now: Date.now,
  });
  const bytes = await download(url);
  return bytes && Buffer.concat(await Array.fromAsync(bytes)).toString();
}

describe('a download', () => {
  it('returns the bytes for our token, uncompressed', async () => {
    const server = await start((_, response) => void response.end('the file'));
    expect(await read(`${server.url}/file?mid=1&ext=2`)).toBe('the file');
    expect(server.requests).toMatchObject([
      {
        url: '/file?mid=1&ext=2',
        headers: { authorization: 'Bearer our-token', 'accept-encoding': 'identity', via: '1.1 our-mark' },
      },
    ]);
  });

  it('a download returns an empty file', async () => {
    const server = await start((_, response) => void response.end());
    expect(await read(server.url)).toBe('');
  });

  it.each([404, 410])('returns nothing for status %i', async (status) => {
    const server = await start((_, response) => void response.writeHead(status).end('gone'));
    expect(await read(server.url)).toBe(undefined);
  });

  it.each([
    [401, 'credentials'],
    [403, 'credentials'],
    [429, 'rate-limited'],
    [400, 'unavailable'],
    [206, 'unavailable'],
    [500, 'unavailable'],
  ])('fails if the response has status %i', async (status, failure) => {
    const server = await start((_, response) => void response.writeHead(status).end('no'));
    await expect(read(server.url)).rejects.toMatchObject({ failure });
  });

  it('fails if the connection breaks off', async () => {
    const server = await start((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('the beginning', () => response.destroy());
    });
    await expect(read(server.url)).rejects.toMatchObject({ failure: 'unavailable' });
  });

  it.each([
    ['no response comes', () => {}],
    ['the bytes stop coming', (_: unknown, response: Parameters<RequestListener>[1]) => void response.write('a')],
  ] as const)('ends in time if %s', async (_, listener) => {
    const server = await start(listener);
    await expect(read(server.url, { withinMs: 100 })).rejects.toMatchObject({ failure: 'timeout' });
  });

  it('is not started after the deadline', async () => {
    const server = await start((_, response) => void response.end());
    await expect(read(server.url, { withinMs: 0 })).rejects.toMatchObject({ failure: 'timeout' });
    expect(server.requests).toEqual([]);
  });
});

describe('redirects', () => {
  it('are followed, with the token on the same origin', async () => {
    const server = await start((request, response) => {
      if (request.url === '/first') redirectTo('second')(request, response);
      else response.end('the file');
    });
    expect(await read(`${server.url}/first`)).toBe('the file');
    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/first', 'Bearer our-token'],
      ['/second', 'Bearer our-token'],
    ]);
  });

  it('never carry the token to another origin', async () => {
    const other = await start((_, response) => void response.end('the file'));
    const server = await start(redirectTo(`${other.url}/elsewhere`));
    expect(await read(server.url)).toBe('the file');
    expect(other.requests).toHaveLength(1);
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('end after a few repetitions', async () => {
    const server = await start(redirectTo('/again'));
    await expect(read(server.url)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(server.requests).toHaveLength(4);
  });

  it.each(['http://192.0.2.1/file', 'file:///etc/passwd', 'http://'])('are not followed to %s', async (location) => {
    const server = await start(redirectTo(location));
    await expect(read(server.url)).rejects.toMatchObject({ failure: 'unavailable' });
  });
});

describe('the hosts', () => {
  const log = captureLog();
  const baseUrl = 'https://graph.facebook.com';
  const hosts = ['fbsbx.test', 'cdn.example.test'];

  /** Names of the domain `test` never resolve (RFC 6761), so a host that is allowed fails later, in another way. */
  const isAllowed = async (address: string) => {
    log.length = 0;
    await expect(read(address, { baseUrl, hosts })).rejects.toMatchObject({ failure: expect.any(String) });
    return !log.some(({ event }) => event === 'media.host-not-allowed');
  };

  it.each([
    'https://fbsbx.test/a',
    'https://lookaside.fbsbx.test/a',
    'https://LOOKASIDE.FBSBX.TEST:443/a',
    'https://cdn.example.test/',
  ])('the hosts include %s', async (address) => {
    expect(await isAllowed(address)).toBe(true);
  });

  it.each([
    'https://example.test/a',
    'https://evilfbsbx.test/a',
    'https://fbsbx.test.evil.test/a',
    'https://fbsbx.test@evil.test/a',
    'http://lookaside.fbsbx.test/a',
    'https://169.254.169.254/a',
  ])('do not include %s, and the log names the host', async (address) => {
    expect(await isAllowed(address)).toBe(false);
    expect(log).toMatchObject([{ host: new URL(address).host }]);
  });

  it('the hosts bind redirects, too', async () => {
    const server = await start(redirectTo('https://elsewhere.test/file'));
    log.length = 0;
    await expect(read(server.url)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(log).toMatchObject([{ event: 'media.host-not-allowed', host: 'elsewhere.test' }]);
  });
});

describe('the token', () => {
  it.each(['https://graph.facebook.com', 'http://graph.example.com'])(
    'is not sent unencrypted to a host other than that of %s',
    async (baseUrl) => {
      const server = await start((_, response) => void response.end());
      await expect(read(server.url, { baseUrl })).rejects.toMatchObject({ failure: 'unavailable' });
      expect(server.requests).toEqual([]);
    },
  );

  it('may be sent to another port of a local upstream’s host, by any of its names', async () => {
    const server = await start((_, response) => void response.end('the file'));
    expect(await read(server.url, { baseUrl: 'http://localhost:3001' })).toBe('the file');
  });

  it('requires a valid address', async () => {
    await expect(read('not a url', { baseUrl: 'http://localhost' })).rejects.toMatchObject({ failure: 'unavailable' });
  });
});
