import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { caPem, deadPort, listen, listenRaw, loopback, nothing, serverCredentials } from '#support/fakes/egress.ts';
import { type ConnectSettings, openConnection, type Peer, tlsSessions } from './connect.ts';
import { EgressError } from './egress-error.ts';
import { parseAllowList } from './url-rules.ts';

const host = 'receiver.example.com';

function connect(peer: Omit<Peer, 'host'> & { host?: string }, settings: Partial<ConnectSettings> = {}) {
  return openConnection(
    { host, ...peer },
    {
      ...{ allowList: loopback, resolve: async () => ['127.0.0.1'], connectTimeoutMs: 2_000, sessions: tlsSessions() },
      ...settings,
    },
  );
}

/** Resolves with the error. A successful connection is closed when the test ends. */
async function failure(connection: ReturnType<typeof connect>): Promise<unknown> {
  try {
    const socket = await connection;
    onTestFinished(() => void socket.destroy());
    return undefined;
  } catch (error) {
    return error instanceof EgressError ? error.errorClass : error;
  }
}

const silent = () => listenRaw(() => {});
const tlsServer = () => listen(createTlsServer(serverCredentials));

describe('openConnection', () => {
  it.each([
    ['loopback', ['127.0.0.1']],
    ['loopback, mapped', ['::ffff:127.0.0.1']],
    ['loopback besides a public address', ['1.1.1.1', '127.0.0.1']],
    ['loopback over IPv6', ['1.1.1.1', '::1']],
    ['something unreadable', ['localhost']],
  ])('connects to none of the addresses of a name that resolves to %s', async (_, addresses) => {
    const { port, connections } = await silent();
    const resolve = async () => addresses;
    expect(await failure(connect({ port, secure: false }, { allowList: nothing, resolve }))).toBe('forbidden-address');
    expect(connections).toEqual([]);
  });

  it('checks each answer of a name server again', async () => {
    const { port, connections } = await silent();
    const resolve = vi.fn(async () => ['10.0.0.1']).mockResolvedValueOnce(['127.0.0.1']);
    expect(await failure(connect({ port, secure: false }, { resolve }))).toBeUndefined();
    expect(await failure(connect({ port, secure: false }, { resolve }))).toBe('forbidden-address');
    expect(connections).toHaveLength(1);
  });

  it('connects to exactly the addresses that it checked, with a single lookup', async () => {
    const { port } = await silent();
    const resolve = vi.fn(async () => ['10.0.0.1']).mockResolvedValueOnce(['127.0.0.1']);
    expect(await failure(connect({ port, secure: false }, { resolve }))).toBeUndefined();
    expect(resolve).toHaveBeenCalledExactlyOnceWith(host);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', 'fe80::1%lo', 'localhost'])(
    'never connects to %s unless it is allowed',
    async (address) => {
      const { port, connections } = await silent();
      const resolve = vi.fn();
      const result = await failure(connect({ host: address, port, secure: false }, { allowList: nothing, resolve }));
      expect(result).toBe('forbidden-address');
      expect(connections).toEqual([]);
      expect(resolve).not.toHaveBeenCalled();
    },
  );

  it.each([false, true])('sends nothing if the peer turns out to be forbidden (TLS: %s)', async (secure) => {
    const received = vi.fn();
    const { port, connections } = await listenRaw(received);
    const allowList = { check: vi.fn(() => false).mockReturnValueOnce(true) };
    expect(await failure(connect({ port, secure }, { allowList }))).toBe('forbidden-address');
    await expect.poll(() => connections[0]?.closed).toBe(true);
    expect(received).not.toHaveBeenCalled();
  });

  it('tries the next address if one does not respond', async () => {
    const { port, connections } = await silent();
    const resolve = async () => ['127.0.0.2', '::1', '127.0.0.1'];
    expect(await failure(connect({ port, secure: false }, { resolve }))).toBeUndefined();
    expect(connections).toHaveLength(1);
  });

  it('resolves localhost without a name server', async () => {
    const { port } = await silent();
    const resolve = vi.fn();
    expect(await failure(connect({ host: 'localhost', port, secure: false }, { resolve }))).toBeUndefined();
    expect(resolve).not.toHaveBeenCalled();
  });

  it('connects only to the allowed addresses of localhost', async () => {
    const { port } = await silent();
    const allowList = parseAllowList('127.0.0.0/8');
    expect(await failure(connect({ host: 'localhost', port, secure: false }, { allowList }))).toBeUndefined();
  });

  it('fails with dns if the name does not resolve', async () => {
    const resolve = () => Promise.reject(new Error('queryA ENOTFOUND'));
    expect(await failure(connect({ port: 443, secure: true }, { resolve }))).toBe('dns');
    expect(await failure(connect({ port: 443, secure: true }, { resolve: async () => [] }))).toBe('dns');
  });

  it('fails with dns if no name server responds in time', async () => {
    const resolve = () => new Promise<never>(() => {});
    expect(await failure(connect({ port: 443, secure: true }, { resolve, connectTimeoutMs: 50 }))).toBe('dns');
  });

  it('fails with refused if no server listens', async () => {
    expect(await failure(connect({ port: await deadPort(), secure: false }))).toBe('refused');
    const resolve = async () => ['127.0.0.1', '127.0.0.2'];
    expect(await failure(connect({ port: await deadPort(), secure: true }, { resolve }))).toBe('refused');
  });

  describe('with TLS', () => {
    it('names the host to the server, and checks the certificate against it', async () => {
      const server = createTlsServer(serverCredentials);
      const { port } = await listen(server);
      const accepted = once(server, 'secureConnection');
      expect(await failure(connect({ port, secure: true }, { sessions: tlsSessions(caPem) }))).toBeUndefined();
      const [socket] = await accepted;
      expect(socket.servername).toBe(host);
    });

    it('checks the certificate of a server that is named by its address', async () => {
      const { port } = await tlsServer();
      expect(
        await failure(connect({ host: '127.0.0.1', port, secure: true }, { sessions: tlsSessions(caPem) })),
      ).toBeUndefined();
    });

    it.each([
      ['of an unknown authority', {}, host],
      ['of another host', { sessions: tlsSessions(caPem) }, 'other.example.com'],
    ])('rejects a certificate %s', async (_, settings, name) => {
      const { port, connections } = await tlsServer();
      expect(await failure(connect({ host: name, port, secure: true }, settings))).toBe('tls');
      await expect.poll(() => connections[0]?.closed).toBe(true);
    });

    it('rejects an invalid certificate whatever the environment says', async () => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      onTestFinished(() => void vi.unstubAllEnvs());
      const { port } = await tlsServer();
      expect(await failure(connect({ port, secure: true }))).toBe('tls');
    });

    it.each([
      [
        'does not speak TLS',
        (socket: { write(text: string): void }) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
      ],
      ['hangs up on the greeting', (socket: { end(): void }) => socket.end()],
      ['resets on the greeting', (socket: { resetAndDestroy(): void }) => socket.resetAndDestroy()],
    ])('fails with tls if the server %s', async (_, onData) => {
      const { port } = await listenRaw(onData);
      expect(await failure(connect({ port, secure: true }, { sessions: tlsSessions(caPem) }))).toBe('tls');
    });

    describe('resumes sessions', () => {
      /** A server that notes for each connection whether it resumed a session, and a client that remembers sessions. */
      async function startRemembered() {
        const resumed: boolean[] = [];
        const server = createTlsServer(serverCredentials, (socket) => {
          resumed.push(socket.isSessionReused());
          socket.end('hello');
        });
        const { port } = await listen(server);
        const sessions = tlsSessions(caPem);
        const knownSession = (name = host) => sessions.latest.get(`${name} ${port}`);
        /** Connects and reads all, as an HTTP client does: sessions arrive with the first data. */
        const visit = async () => {
          for await (const _ of await connect({ port, secure: true }, { sessions }));
        };
        return { server, port, sessions, resumed, knownSession, visit };
      }

      it('of the same server, so that it need not send its certificate again', async () => {
        const { resumed, visit } = await startRemembered();
        for (let visits = 0; visits < 3; visits++) await visit();
        expect(resumed).toEqual([false, true, true]);
      });

      it('but not those of another name, whose certificate is checked', async () => {
        const { port, sessions, knownSession, visit } = await startRemembered();
        await visit();
        const name = 'other.example.com';
        expect(await failure(connect({ host: name, port, secure: true }, { sessions }))).toBe('tls');
        expect(knownSession(name)).toBeUndefined();
      });

      it.each(['TLSv1.2', 'TLSv1.3'] as const)('of no server that it did not trust (%s)', async (maxVersion) => {
        const { port } = await listen(createTlsServer({ ...serverCredentials, maxVersion }));
        const sessions = tlsSessions();
        for (let attempts = 0; attempts < 2; attempts++) {
          expect(await failure(connect({ port, secure: true }, { sessions }))).toBe('tls');
        }
        expect(sessions.latest.get(`${host} ${port}`)).toBeUndefined();
      });

      it('but not those that the server has forgotten: it connects all the same', async () => {
        const { server, resumed, visit } = await startRemembered();
        await visit();
        server.setTicketKeys(randomBytes(48));
        await visit();
        expect(resumed).toEqual([false, false]);
      });

      it('but none after a failed handshake', async () => {
        const { port, sessions } = await startRemembered();
        const { port: deaf } = await listenRaw((socket) => socket.resetAndDestroy());
        sessions.latest.set(`${host} ${deaf}`, Buffer.from('a session'));
        expect(await failure(connect({ port: deaf, secure: true }, { sessions }))).toBe('tls');
        expect(sessions.latest.get(`${host} ${deaf}`)).toBeUndefined();
        expect(await failure(connect({ port, secure: true }, { sessions }))).toBeUndefined();
      });
    });

    it('fails with connect-timeout and closes the connection if the TLS handshake does not complete', async () => {
      const { port, connections } = await silent();
      expect(await failure(connect({ port, secure: true }, { connectTimeoutMs: 50 }))).toBe('connect-timeout');
      await expect.poll(() => connections[0]?.closed).toBe(true);
    });
  });
});
