import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { startHttpServer, type TestServer } from '#support/http/http-server.ts';
import { mediaDownload } from './media-download-graph.ts';

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
