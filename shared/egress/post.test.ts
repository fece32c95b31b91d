import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { caPem, deadPort, listen, listenRaw, nothing, serverCredentials, testSender } from '#support/fakes/egress.ts';
import { parseRetryAfter } from './post.ts';
import { parseOwnAddresses } from './url-rules.ts';

describe('a Retry-After header', () => {
  const now = Date.UTC(2026, 10, 20, 8, 0, 0);

  it.each([
    ['0', 0],
    ['120', 120],
    [' 30 ', 30],
    ['Fri, 20 Nov 2026 08:01:00 GMT', 60],
    ['Friday, 20-Nov-26 08:01:00 GMT', 60],
    ['Fri, 20 Nov 2026 07:59:00 GMT', 0],
  ])('%j can be read as a delay', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  it.each([
    undefined,
    '',
    'soon',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '99999999999999',
    '10, 20',
    '2026-11-20T08:01:00Z',
    'Fri, 20 Nov 2026 08:01:00 +0100',
    'Fri, 99 Nov 2026 08:01:00 GMT',
    'After Fri, 20 Nov 2026 08:01:00 GMT',
    'Fri, 20 Nov 2026 08:01:00 GMT (CET)',
  ])('%j counts as a missing header', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });

  it('with any text leads to a number of seconds or counts as missing', () => {
    fc.assert(
      fc.property(anyText, (header) => {
        const seconds = parseRetryAfter(header, now);
        return seconds === undefined || (Number.isInteger(seconds) && seconds >= 0);
      }),
    );
  });
});

const headers = { 'content-type': 'application/json', 'x-custom': 'value' };

/** An HTTP server on loopback, and the requests that it received. */
async function startReceiver(
  listener: RequestListener,
  create: (listener: RequestListener) => ReturnType<typeof createServer> = createServer,
) {
  const bodies: Buffer[] = [];
  const server = create((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks));
      listener(request, response);
    });
  });
  const { port, connections } = await listen(server);
  return { server, bodies, connections, port, url: `http://127.0.0.1:${port}/hook?tenant=1` };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const httpsServer = (listener: RequestListener) => createHttpsServer(serverCredentials, listener);

/** A POST to a TCP server on loopback. */
function postTo(port: number, { sender = testSender(), timeoutMs = 30_000, body = '{}' as string | Buffer } = {}) {
  return sender.post({ url: `http://127.0.0.1:${port}/`, headers, body, timeoutMs });
}

const failed = (error: string) => ({ outcome: 'failed', error, durationMs: expect.any(Number) });

/** A server that sends these bytes as soon as the first request begins to arrive. */
const answering = (bytes: string | Buffer, then: (socket: Socket) => void = () => {}) =>
  listenRaw((socket) => {
    socket.write(bytes);
    then(socket);
  });

const earlyHints = `HTTP/1.1 103 Early Hints\r\nlink: <${'x'.repeat(1_000)}>\r\n\r\n`;
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

describe('an address of the service itself', () => {
  it('is never connected to, whatever URL is stored', async () => {
    const { url, port, connections } = await startReceiver((_, response) => response.end('ok'));
    const sender = testSender({ isOwn: parseOwnAddresses(`http://localhost:${port}`) });
    expect(await sender.post({ url, headers, body: '{}', timeoutMs: 2_000 })).toStrictEqual(failed('own-address'));
    expect(connections).toEqual([]);
  });
});

describe('a request', () => {
  it('carries the mark of the deployment after the marks that the request arrived with', async () => {
    const listener = vi.fn<RequestListener>((_, response) => response.end());
    const { url } = await startReceiver(listener);
    const viaHeaders = { ...headers, 'messaging-service-via': '1.1 messaging-service-other' };
    await testSender().post({ url, headers: viaHeaders, body: '{}', timeoutMs: 2_000 });
    expect(listener.mock.calls[0]?.[0].headers).toMatchObject({
      via: '1.1 messaging-service-test',
      'messaging-service-via': '1.1 messaging-service-other, 1.1 messaging-service-test',
    });
  });

  it('names the kind of content and the sender, unless it says otherwise', async () => {
    const listener = vi.fn<RequestListener>((_, response) => response.end());
    const { url } = await startReceiver(listener);
    const sender = testSender();
    await sender.post({ url, headers: {}, body: '{}', timeoutMs: 30_000 });
    await sender.post({ url, headers: { 'content-type': 'text/plain' }, body: '{}', timeoutMs: 30_000 });
    const named = listener.mock.calls.map(([request]) => [
      request.headers['content-type'],
      request.headers['user-agent'],
    ]);
    expect(named).toEqual([
      ['application/json', 'messaging-service'],
      ['text/plain', 'messaging-service'],
    ]);
  });

  it('a request has each header once', async () => {
    const listener = vi.fn<RequestListener>((_, response) => response.end());
    const { url, port } = await startReceiver(listener);
    const own = { ...headers, 'user-agent': 'somebody' };
    await testSender().post({ url, headers: own, body: '{}', timeoutMs: 2_000 });
    const { rawHeaders = [], headers: seen } = listener.mock.calls[0]?.[0] ?? {};
    const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    expect(seen).toMatchObject({ host: `127.0.0.1:${port}`, 'user-agent': 'somebody', 'content-length': '2' });
  });

  it('with a header that would break the message is not sent', async () => {
    const { url, bodies } = await startReceiver((_, response) => response.end());
    const broken = { ...headers, 'x-custom': 'a\r\nx-injected: b' };
    await expect(testSender().post({ url, headers: broken, body: '{}', timeoutMs: 2_000 })).rejects.toThrow('x-custom');
    expect(bodies).toEqual([]);
  });

  it('is one POST with the given headers and exact bytes', async () => {
    const listener = vi.fn<RequestListener>((_, response) => response.end());
    const { bodies, port, url } = await startReceiver(listener);
    const body = Buffer.from([0xff, 0x00, 0xfe, 0x0a]);
    await testSender().post({ url, headers, body, timeoutMs: 30_000 });
    expect(bodies).toEqual([body]);
    const [[request] = []] = listener.mock.calls;
    expect(request).toMatchObject({ method: 'POST', url: '/hook?tenant=1' });
    expect(request?.headers).toEqual({
      ...headers,
      'user-agent': 'messaging-service',
      via: '1.1 messaging-service-test',
      'messaging-service-via': '1.1 messaging-service-test',
      host: `127.0.0.1:${port}`,
      'accept-encoding': 'identity',
      'content-length': '4',
      connection: 'keep-alive',
    });
  });

  it('has a content length in bytes', async () => {
    const { bodies, port } = await startReceiver((_, response) => response.end());
    await postTo(port, { body: '{"text":"olá 👋"}' });
    expect(bodies.map(String)).toEqual(['{"text":"olá 👋"}']);
  });
});

describe('a response', () => {
  it('is returned with its status, body and the relevant headers', async () => {
    const { port } = await startReceiver((_, response) => {
      response.writeHead(429, {
        'Content-Type': 'text/plain',
        'Retry-After': '120',
        'Set-Cookie': 'a=b',
        'X-Other': '1',
      });
      response.end('slow down');
    });
    expect(await postTo(port)).toEqual({
      outcome: 'responded',
      status: 429,
      contentType: 'text/plain',
      retryAfterSeconds: 120,
      body: Buffer.from('slow down'),
      truncated: false,
      durationMs: expect.any(Number),
    });
  });

  it('may ask for a wait until a date', async () => {
    const { port } = await startReceiver((_, response) =>
      response.writeHead(503, { 'Retry-After': 'Fri, 20 Nov 2026 08:01:00 GMT' }).end(),
    );
    const sender = testSender({ now: () => Date.UTC(2026, 10, 20, 8) });
    expect(await postTo(port, { sender })).toMatchObject({ status: 503, retryAfterSeconds: 60 });
  });

  it.each([200, 201, 202, 204, 400, 401, 404, 410, 429, 500, 502, 503, 504])(
    'may have the status %i',
    async (status) => {
      const { port } = await startReceiver((_, response) => response.writeHead(status).end());
      expect(await postTo(port)).toMatchObject({ outcome: 'responded', status });
    },
  );

  it.each([301, 302, 303, 307, 308])('may be a redirect (%i), whose target is never visited', async (status) => {
    const target = await startReceiver((_, response) => response.end());
    const { port } = await startReceiver((_, response) => response.writeHead(status, { location: target.url }).end());
    expect(await postTo(port)).toMatchObject({ outcome: 'responded', status });
    expect(target.connections).toEqual([]);
  });

  it('may arrive over TLS, also from localhost', async () => {
    const { port } = await startReceiver((_, response) => response.end('ok'), httpsServer);
    const sender = testSender({ caPem });
    for (const host of ['localhost', '127.0.0.1']) {
      const attempt = await sender.post({ url: `https://${host}:${port}/`, headers, body: '{}', timeoutMs: 30_000 });
      expect(attempt).toMatchObject({ outcome: 'responded', status: 200, body: Buffer.from('ok') });
    }
  });

  it('a response may follow informational responses', async () => {
    const { port } = await answering(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n${ok}`);
    expect(await postTo(port)).toMatchObject({ outcome: 'responded', status: 200 });
  });

  it('may arrive before the whole request is sent, and ends the request', async () => {
    const { port, connections } = await answering(
      'HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\n\r\n',
      (socket) => socket.pause(),
    );
    const body = Buffer.alloc(16 * 1024 * 1024);
    expect(await postTo(port, { body })).toMatchObject({ outcome: 'responded', status: 413 });
    connections[0]?.resume();
    await expect.poll(() => connections[0]?.closed).toBe(true);
  });

  it('may end when the connection closes', async () => {
    const { port } = await answering('HTTP/1.1 200 OK\r\n\r\nok', (socket) => socket.end());
    expect(await postTo(port)).toMatchObject({ outcome: 'responded', body: Buffer.from('ok'), truncated: false });
  });

  it('may contain any bytes in body and headers', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x00]);
    const head = 'HTTP/1.1 200 \xff\r\nContent-Type: caf\xe9\r\nx-empty:\r\nx-empty: 2\r\ncontent-length: 5\r\n\r\n';
    const { port } = await answering(Buffer.concat([Buffer.from(head, 'latin1'), bytes]));
    expect(await postTo(port)).toMatchObject({ status: 200, contentType: 'caf\xe9', body: bytes });
  });

  it('is not decompressed by the sender', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const { port } = await startReceiver((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(await postTo(port)).toMatchObject({ status: 200, body: bomb, truncated: false });
  });

  it('is complete up to the size limit', async () => {
    const { port } = await startReceiver((_, response) => response.end('x'.repeat(100)));
    expect(await postTo(port, { sender: testSender({ maxResponseBytes: 100 }) })).toMatchObject({
      body: Buffer.alloc(100, 'x'),
      truncated: false,
    });
  });

  it('is cut off at the limit, and its connection is closed', async () => {
    const { port, connections } = await startReceiver((_, response) =>
      response.end(Buffer.alloc(10 * 1024 * 1024, 'x')),
    );
    expect(await postTo(port, { sender: testSender({ maxResponseBytes: 100 }) })).toMatchObject({
      status: 200,
      body: Buffer.alloc(100, 'x'),
      truncated: true,
    });
    await expect.poll(() => connections[0]?.closed).toBe(true);
  });

  it('may be endless, and is cut off', async () => {
    const { port, connections } = await startReceiver((_, response) => {
      const more = () => response.writable && response.write('x'.repeat(10_000), () => setImmediate(more));
      more();
    });
    expect(await postTo(port)).toMatchObject({ outcome: 'responded', truncated: true });
    await expect.poll(() => connections[0]?.closed).toBe(true);
  });
});

describe('a failure', () => {
  it.each([
    ['invalid-url', 'example.com'],
    ['invalid-url', 'http://example.com'],
    ['invalid-url', 'https://user@example.com'],
    ['invalid-url', 'https://example.com:22'],
    ['invalid-url', 'https://intranet'],
    ['forbidden-address', 'https://169.254.169.254/latest/meta-data'],
    ['forbidden-address', 'https://2130706433/'],
    ['forbidden-address', 'https://localhost'],
    ['forbidden-address', 'https://rebinding.example.com'],
  ])('is classified as %s for %s, without further details', async (error, url) => {
    const sender = testSender({ allowList: nothing, resolve: async () => ['1.1.1.1', '127.0.0.1'] });
    expect(await sender.post({ url, headers, body: '{}', timeoutMs: 30_000 })).toStrictEqual(failed(error));
  });

  it('is classified as dns for a name that does not exist', async () => {
    const sender = testSender({ resolve: () => Promise.reject(new Error('queryA ENOTFOUND 10.0.0.2')) });
    const url = 'https://receiver.example.com';
    expect(await sender.post({ url, headers, body: '{}', timeoutMs: 30_000 })).toStrictEqual(failed('dns'));
  });

  it('is classified as refused if no server listens', async () => {
    expect(await postTo(await deadPort())).toStrictEqual(failed('refused'));
  });

  it('is classified as tls for an untrusted certificate', async () => {
    const { bodies, port } = await startReceiver((_, response) => response.end(), httpsServer);
    const url = `https://127.0.0.1:${port}/`;
    expect(await testSender().post({ url, headers, body: '{}', timeoutMs: 30_000 })).toStrictEqual(failed('tls'));
    expect(bodies).toEqual([]);
  });

  it('is classified as connect-timeout if the TLS handshake does not complete', async () => {
    const { port } = await listenRaw(() => {});
    const url = `https://127.0.0.1:${port}/`;
    const sender = testSender({ connectTimeoutMs: 50 });
    expect(await sender.post({ url, headers, body: '{}', timeoutMs: 30_000 })).toStrictEqual(failed('connect-timeout'));
  });

  it.each<[string, string, string, ((socket: Socket) => void)?]>([
    ['reset', 'a reset in place of a response', '', (socket) => socket.resetAndDestroy()],
    ['closed-early', 'an end in place of a response', '', (socket) => socket.end()],
    ['closed-early', 'an end in the head', 'HTTP/1.1 200 OK\r\ncontent-ty', (socket) => socket.end()],
    [
      'closed-early',
      'an end in the body',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
      (socket) => socket.end(),
    ],
    [
      'closed-early',
      'a reset in the body',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
      (socket) => setImmediate(() => socket.resetAndDestroy()),
    ],
    [
      'closed-early',
      'an end in a chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nabc',
      (socket) => socket.end(),
    ],
    [
      'closed-early',
      'a switch of protocols',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
    ['invalid-response', 'another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['invalid-response', 'two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['headers-too-large', 'a huge header', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['headers-too-large', 'many headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`],
    ['headers-too-large', 'many interim responses', `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(800)}${ok}`],
    ['headers-too-large', 'interim responses with headers', `${earlyHints.repeat(20)}${ok}`],
  ])('is classified as %s for %s', async (error, _, bytes, then) => {
    const { port, connections } = await answering(bytes, then);
    expect(await postTo(port)).toStrictEqual(failed(error));
    await expect.poll(() => connections.map(({ closed }) => closed)).toEqual([true]);
  });
});

it('a response may follow a few interim responses', async () => {
  const { port } = await answering(`HTTP/1.1 100 Continue\r\n\r\n${earlyHints.repeat(10)}${ok}`);
  expect(await postTo(port)).toMatchObject({ outcome: 'responded', status: 200 });
});

it('a receiver that sends nothing but interim responses is cut off early', async () => {
  const { port, connections } = await listenRaw((socket) => {
    const flood = () => {
      while (socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)));
    };
    socket.on('drain', flood);
    flood();
  });
  expect(await postTo(port)).toStrictEqual(failed('headers-too-large'));
  await expect.poll(() => connections.map(({ closed }) => closed)).toEqual([true]);
});

describe('the timeout of a POST', () => {
  /** Sends a piece every few milliseconds until the connection closes. */
  const dripping = (head: string, piece: string) => (socket: Socket) => {
    socket.write(head);
    const drip = setInterval(() => socket.write(piece), 5);
    socket.once('close', () => clearInterval(drip));
  };

  it.each<[string, (socket: Socket) => void]>([
    ['no response', () => {}],
    ['a head that comes slowly', dripping('HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
    ['a body that comes slowly', dripping('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x')],
    ['a body that is over when the connection is', dripping('HTTP/1.1 200 OK\r\n\r\n', 'x')],
    ['endless informational responses', dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('ends an attempt with %s', async (_, onData) => {
    const { port, connections } = await listenRaw((socket) => onData(socket));
    const attempt = await postTo(port, { timeoutMs: 100 });
    expect(attempt).toStrictEqual(failed('timeout'));
    expect(attempt.durationMs).toBeGreaterThan(90);
    await expect.poll(() => connections[0]?.closed).toBe(true);
  });

  it('applies while the connection is opened', async () => {
    const sender = testSender({ resolve: () => new Promise(() => {}) });
    const url = 'https://receiver.example.com';
    expect(await sender.post({ url, headers, body: '{}', timeoutMs: 50 })).toStrictEqual(failed('timeout'));
  });

  it('applies while the request is sent', async () => {
    const { port } = await listenRaw((socket) => socket.pause());
    expect(await postTo(port, { timeoutMs: 100, body: Buffer.alloc(16 * 1024 * 1024) })).toStrictEqual(
      failed('timeout'),
    );
  });
});

describe('connections', () => {
  it('are reused for later requests', async () => {
    const { port, connections } = await startReceiver((_, response) => response.end('ok'));
    const sender = testSender();
    for (let count = 0; count < 10; count++) expect(await postTo(port, { sender })).toMatchObject({ status: 200 });
    expect(connections).toHaveLength(1);
  });

  const okReceivers = (length: number) =>
    Promise.all(Array.from({ length }, () => startReceiver((_, response) => response.end('ok'))));

  it('close if they are idle and there are too many, the one that has been idle the longest first', async () => {
    const receivers = await okReceivers(3);
    const sender = testSender({ maxIdleConnections: 2 });
    const [first, second, third] = receivers.map(({ port }) => port);
    for (const port of [first, second, first, third]) await postTo(Number(port), { sender });
    const [, { connections: ofSecond }] = receivers as [unknown, (typeof receivers)[number]];
    await expect.poll(() => ofSecond[0]?.closed).toBe(true);
    for (const port of [first, third]) await postTo(Number(port), { sender });
    expect(receivers.map(({ connections }) => connections.length)).toEqual([1, 1, 1]);
  });

  it('close if they become idle together and are too many', async () => {
    const receivers = await okReceivers(6);
    const sender = testSender({ maxIdleConnections: 2 });
    const open = () => receivers.flatMap(({ connections }) => connections.filter(({ closed }) => !closed));
    for (let round = 0; round < 2; round++) {
      await Promise.all(receivers.map(({ port }) => postTo(port, { sender })));
      await expect.poll(() => open().length).toBe(2);
    }
  });

  it('make room for others when the receiver closes them', async () => {
    const [kept, closing, other] = (await okReceivers(3)) as [Receiver, Receiver, Receiver];
    const sender = testSender({ maxIdleConnections: 2 });
    for (const { port } of [kept, closing]) await postTo(port, { sender });
    closing.server.closeIdleConnections();
    // Takes longer than the sender needs to notice.
    await postTo(other.port);
    for (const { port } of [other, kept]) await postTo(port, { sender });
    expect(kept.connections).toHaveLength(1);
  });

  it('serve no further request when they are old', async () => {
    const { port, connections } = await startReceiver((_, response) => response.end('ok'));
    const sender = testSender({ maxConnectionAgeMs: 0 });
    for (let count = 0; count < 2; count++) await postTo(port, { sender });
    expect(connections).toHaveLength(2);
  });

  it('close when the receiver has announced it', async () => {
    const { port, connections } = await startReceiver((_, response) => {
      response.setHeader('keep-alive', 'timeout=1');
      response.end('ok');
    });
    const sender = testSender();
    for (let count = 0; count < 2; count++) await postTo(port, { sender });
    expect(connections).toHaveLength(2);
  });

  it('serve a hundred concurrent POSTs, each with its own response', async () => {
    const { bodies, port } = await startReceiver((_, response) => response.end(String(bodies.at(-1))));
    const sender = testSender();
    const texts = Array.from({ length: 100 }, (_, index) => `{"index":${index}}`);
    const attempts = await Promise.all(texts.map((body) => postTo(port, { sender, body })));
    expect(attempts.map((attempt) => attempt.outcome === 'responded' && String(attempt.body))).toEqual(texts);
  });

  it.each([false, true])('are replaced if the peer closed them while they were idle (TLS: %s)', async (secure) => {
    const { bodies, connections, port, server } = await startReceiver(
      (_, response) => response.end('ok'),
      secure ? httpsServer : createServer,
    );
    const sender = testSender({ caPem });
    const post = (body: string) =>
      sender.post({ url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/`, headers, body, timeoutMs: 30_000 });
    await post('1');
    server.closeIdleConnections();
    expect(await post('2')).toMatchObject({ outcome: 'responded', status: 200 });
    expect(bodies.map(String)).toEqual(['1', '2']);
    expect(connections).toHaveLength(2);
  });

  /**
   * A server that responds to the first request of the first connection and treats everything later with `otherwise`.
   */
  async function answeringOnce(otherwise: (socket: Socket) => void) {
    let answered = false;
    return listenRaw((socket) => {
      if (answered) return otherwise(socket);
      answered = true;
      socket.write(ok);
    });
  }

  it.each<[string, (socket: Socket) => void]>([
    ['reset', (socket) => socket.resetAndDestroy()],
    ['closed-early', (socket) => socket.end()],
  ])('are retried only once (%s)', async (error, otherwise) => {
    const { port, connections } = await answeringOnce(otherwise);
    const sender = testSender();
    expect(await postTo(port, { sender })).toMatchObject({ status: 200 });
    expect(await postTo(port, { sender })).toStrictEqual(failed(error));
    expect(connections).toHaveLength(2);
  });

  it('are not retried after part of a response has arrived', async () => {
    const { port, connections } = await answeringOnce((socket) => socket.end('HTTP/1.1 2'));
    const sender = testSender();
    await postTo(port, { sender });
    expect(await postTo(port, { sender })).toStrictEqual(failed('closed-early'));
    expect(connections).toHaveLength(1);
  });

  it('are not retried if they are new', async () => {
    const { port, connections } = await listenRaw((socket) => socket.resetAndDestroy());
    expect(await postTo(port)).toStrictEqual(failed('reset'));
    expect(connections).toHaveLength(1);
  });

  it('close when the sender is closed', async () => {
    const { port, connections } = await startReceiver((_, response) => response.end('ok'));
    const sender = testSender();
    await postTo(port, { sender });
    sender.close();
    await expect.poll(() => connections[0]?.closed).toBe(true);
  });

  it('ignore any proxy of the environment', async () => {
    const proxy = await startReceiver((_, response) => response.writeHead(502).end());
    const { port } = await startReceiver((_, response) => response.end('ok'));
    const script = `
      const [{ createSender }, { parseAllowList }] = await Promise.all([
        import('${new URL('post.ts', import.meta.url)}'), import('${new URL('url-rules.ts', import.meta.url)}')]);
      const sender = createSender({ allowList: parseAllowList('127.0.0.0/8'), isOwn: () => false, mark: 'messaging-service-test' });
      const { status } = await sender.post({ url: 'http://127.0.0.1:${port}/', headers: {}, body: '', timeoutMs: 30_000 });
      sender.close();
      console.log(status);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: '' },
    });
    expect(stdout.trim()).toBe('200');
    expect(proxy.connections).toEqual([]);
  });
});
