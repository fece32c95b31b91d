import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createSender, type Sender, type SenderSettings } from '#shared/egress/post.ts';
import { parseAllowList, parseOwnAddresses } from '#shared/egress/url-rules.ts';

export const nothing = parseAllowList('');
export const loopback = parseAllowList('127.0.0.0/8,::1/128');

/** The sending service in tests: it has no addresses of its own, and this mark. */
export const sendingService = { isOwn: parseOwnAddresses(''), mark: 'messaging-service-test' } as const;

const fixture = (name: string) => readFileSync(new URL(`certificates/${name}`, import.meta.url), 'utf8');

/** The certificate authority of `serverCredentials`. Only tests trust it. */
export const caPem = fixture('ca.pem');

/** A certificate for `localhost`, `receiver.example.com` and 127.0.0.1. Its key is public, so only tests may use it. */
export const serverCredentials = { key: fixture('server-key.pem'), cert: fixture('server-certificate.pem') };

export interface Listening {
  port: number;
  /** Every connection that was made. */
  connections: Socket[];
}

/** Listens on a free port of 127.0.0.1 until the test is over. */
export async function listen(server: Server): Promise<Listening> {
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    connections.push(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of connections) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, connections };
}

/** A TCP server that passes each chunk of data to a callback. */
export function listenRaw(onData: (socket: Socket, data: Buffer) => void): Promise<Listening> {
  return listen(createServer((socket) => socket.on('data', (data) => onData(socket, data))));
}

/** A port of 127.0.0.1 on which nothing listens. */
export async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A sender that may reach loopback, until the test is over. */
export function testSender(settings: Partial<SenderSettings> = {}): Sender {
  const sender = createSender({ allowList: loopback, ...sendingService, ...settings });
  onTestFinished(() => sender.close());
  return sender;
}
